#include "lab/table_3/expected_work.h"

#include <algorithm>

#include "runs/costs/training_cost.h"

namespace plainformer {

namespace {

// Each token has a row of d_model parameters. Within limits, because a result's file may hold any number.
Index vocabulary_of(ModelConfig model, double parameters) {
  model.vocab = 0;
  const double in_vocabulary = parameters - static_cast<double>(parameter_cost(model).total().parameters);
  return static_cast<Index>(std::clamp(in_vocabulary / static_cast<double>(model.d_model), 1.0, 1e7));
}

double operations_of_training(const TrainSettings& settings, Index vocabulary) {
  ModelConfig model = settings.model;
  model.vocab = vocabulary;
  const double passes = settings.r_drop > 0 ? 2 : 1;
  return passes * static_cast<double>(settings.training.steps) *
         training_operations(model, BatchShape::equal_lengths(1, 25, 25));
}

}  // namespace

double work_beside_base(const TrainSettings& variation, const TrainSettings& base, double base_parameters) {
  const Index vocabulary = vocabulary_of(base.model, base_parameters);
  return operations_of_training(variation, vocabulary) / operations_of_training(base, vocabulary);
}

}  // namespace plainformer
