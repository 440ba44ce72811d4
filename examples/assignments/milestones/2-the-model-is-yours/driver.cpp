// Milestone 2: a trained model's translations, and the tensors of its forward passes, computed by a student's
// layers.
#include "decoding/beam_search.h"
#include "page_model.h"

namespace plainformer::course {

namespace {

void translate_clauses() {
  LoadedModel model = load_model(page_model_folder());
  SourceReader reader(model);
  for (const Clause& clause : clauses_of_the_page_model()) {
    const std::vector<std::vector<int>> sources = {reader.read(clause.source).ids};
    const std::vector<Hypotheses> found = beam_search(*model.transformer, sources, kGreedy);
    show_text(clause.source, found.at(0).empty() ? "" : model.decode(found[0].front().tokens));
  }
}

void show_tensors() {
  LoadedModel model = load_model(page_model_folder());
  for (const Clause& clause : clauses_of_the_page_model()) show_forward_pass(model, clause, true);
}

}  // namespace

std::vector<Stage> stages() {
  return {{"translations", translate_clauses}, {"forward passes", show_tensors}};
}

}  // namespace plainformer::course
