// Milestone 1: the weights of a trained model's heads, computed by a student's attention.
#include "page_model.h"

namespace plainformer::course {

namespace {

void show_weights() {
  LoadedModel model = load_model(page_model_folder());
  show_forward_pass(model, clauses_of_the_page_model().front(), false);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"where the heads look", show_weights}};
}

}  // namespace plainformer::course
