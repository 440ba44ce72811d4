#include "lab/experiments/lookup_training.h"

#include <algorithm>

#include "ops/cross_entropy.h"
#include "training/adam.h"

namespace plainformer {

namespace {

constexpr Index kTestBatch = 64;
constexpr std::uint64_t kTrainingExamples = 1, kTestExamples = 2;  // streams of random numbers

double learning_rate_at(const LookupTraining& training, Index step) {
  const double half = static_cast<double>(training.steps) / 2;
  return training.learning_rate * std::min(1.0, static_cast<double>(training.steps - step) / half);
}

// The sum of right answers: rows whose largest logit is the target's.
Index right_answers(const Tensor& logits, const std::vector<int>& targets) {
  const Index classes = logits.dim(1);
  Index right = 0;
  for (Index row = 0; row < logits.dim(0); ++row) {
    if (targets[row] == kNoTarget) continue;
    const Real* first = logits.data() + row * classes;
    right += std::max_element(first, first + classes) - first == targets[row];
  }
  return right;
}

LookupResult test(const LookupModel& model, const LookupTask& task, const LookupTraining& training) {
  Random random(random_stream(training.seed, kTestExamples, 0));
  double loss = 0;
  Index right = 0, rows = 0;
  for (Index tested = 0; tested < training.held_out; tested += kTestBatch) {
    const LookupBatch batch = task(std::min(kTestBatch, training.held_out - tested), random);
    LookupModel::Cache cache;
    const Tensor logits = model.forward(batch, cache);
    const CrossEntropy sums = cross_entropy_forward(logits, batch.targets, /*smoothing=*/0);
    loss += sums.loss;
    rows += sums.rows;
    right += right_answers(logits, batch.targets);
  }
  return {.loss = loss / static_cast<double>(rows),
          .accuracy = static_cast<double>(right) / static_cast<double>(rows)};
}

}  // namespace

LookupResult train_lookup(const LookupModelOptions& model_options, const LookupTask& task,
                          const LookupTraining& training) {
  LookupModel model(model_options, training.seed);
  const ParameterList parameters = model.parameters();
  Adam adam(parameters, AdamOptions());
  Random random(random_stream(training.seed, kTrainingExamples, 0));
  for (Index step = 0; step < training.steps; ++step) {
    const LookupBatch batch = task(training.batch, random);
    LookupModel::Cache cache;
    const Tensor logits = model.forward(batch, cache);
    const CrossEntropy sums = cross_entropy_forward(logits, batch.targets, /*smoothing=*/0);
    const Real grad_loss = 1 / static_cast<Real>(sums.rows);
    zero_gradients(parameters);
    model.backward(cross_entropy_backward(grad_loss, logits, batch.targets, 0), cache);
    adam.step(parameters, learning_rate_at(training, step), /*grad_scale=*/1);
  }
  return test(model, task, training);
}

}  // namespace plainformer
