// Paper: 5 Training
//
// The loop: take batches, forward, loss, backward, clip, update, report, validate, save. It knows nothing of
// files, progress bars and signals: the program adds them through hooks.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "ops/adam.h"
#include "training/batch_source.h"
#include "training/trainable_model.h"
#include "training/training_options.h"
#include "transformer/transformer.h"

namespace plainformer {

struct StepReport {
  double loss = 0;             // per target token, smoothed, in nats
  double log_probability = 0;  // per target token, without smoothing, in nats
  Index source_tokens = 0, target_tokens = 0;
  double learning_rate = 0;
  double grad_norm = 0;  // before clipping
  double seconds = 0;    // from the first forward pass to the update
  // Empty if the step was made. It was skipped, and changed no weight, if "the loss", "the gradient" or "the
  // learning rate" is not finite or too large for a Real.
  std::string not_finite = {};
  bool skipped() const { return !not_finite.empty(); }

  // Adds a batch's share to loss and log_probability.
  StepReport& operator+=(const CrossEntropy& sums);
};

// The loop calls these functions of the program. A hook may throw to end the training.
struct TrainingHooks {
  std::function<bool()> stop = [] { return false; };                  // asked before each step
  std::function<void(const StepReport&)> after_step = [](auto&&) {};  // also after a skipped step
  std::function<void()> validate = [] {};                             // every options.validate_every steps
  std::function<void()> save_checkpoint = [] {};                      // every options.checkpoint_every steps
};

// The parts of a step that are the same for every model.
namespace training_step {

// A report of the tokens of the batches.
StepReport count_tokens(const std::vector<TranslationBatch>& batches);

DropoutState dropout_of(const TrainingOptions& options, Index attempt, Index batch);

// The Euclidean length of all gradients together.
double norm_of_gradients(const ParameterList& parameters);

// The name of the number that keeps Adam from making this step, for StepReport::not_finite. Adam squares the
// gradients, scaled by `scale`, so a Real must hold the square of their length, and the learning rate.
std::string find_not_finite(const StepReport& report, double scale);

// Ends a training in which this many steps in a row were skipped: no later one will be made.
inline constexpr int kMostSkippedSteps = 10;
[[noreturn]] void throw_too_many_skipped(const StepReport& report);

}  // namespace training_step

// Trains the model until options.steps updates are made or hooks.stop() returns true. A run that continues
// with the model, adam and progress of a stopped one ends with the same bits as a run that was never stopped.
// At its end, an epoch whose batches are all used counts as a complete one.
template <TrainableModel Model>
void train(Model& model, Adam& adam, TrainingProgress& progress, const TrainingOptions& options,
           const BatchSource& source, const TrainingHooks& hooks) {
  using namespace training_step;
  options.check("train: ");
  const ParameterList parameters = model.parameters();
  typename Model::Cache cache;
  Epochs epochs(source, progress);
  const auto is_due = [&](Index every) { return every > 0 && adam.steps() % every == 0; };
  int skipped_in_a_row = 0;
  while (adam.steps() < options.steps && !hooks.stop()) {
    // Step 1. Take the next batches: one, or several whose gradients add up.
    const std::vector<TranslationBatch> batches = epochs.next(options.accumulate);
    StepReport report = count_tokens(batches);
    const auto start = std::chrono::steady_clock::now();

    // Step 2. Zero the gradients.
    zero_gradients(parameters);

    // Step 3. For each batch: forward, loss, backward. The loss is the mean over the tokens of all batches.
    // Three places add to embedding.grad: the projection in the loss (Transformer::loss_forward_backward),
    // and in backward the inputs of both stacks (Transformer::input_backward).
    for (Index i = 0; i < std::ssize(batches); ++i) {
      const DropoutState dropout = dropout_of(options, progress.attempts, i);
      const Tensor output = model.forward(batches[i].source, batches[i].target_input, dropout, cache);
      const Real grad_loss = 1 / static_cast<Real>(report.target_tokens);
      Tensor grad_output;
      report +=
          model.loss_forward_backward(grad_loss, output, batches[i], options.label_smoothing, grad_output);
      model.backward(grad_output, cache);
    }
    ++progress.attempts;

    // Step 4. Clip: if the gradient is longer than clip_norm, scale it down to that length.
    report.grad_norm = norm_of_gradients(parameters);
    const double scale = options.clip_norm > 0 ? std::min(1.0, options.clip_norm / report.grad_norm) : 1;

    // Step 5. Update with Adam. Skip the update if a number of this step is not finite.
    report.learning_rate = options.learning_rate.at(adam.steps() + 1);
    report.not_finite = find_not_finite(report, scale);
    if (report.skipped()) {
      ++skipped_in_a_row;
    } else {
      adam.step(parameters, report.learning_rate, scale);
      skipped_in_a_row = 0;
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    // Step 6. Report; after an update, validate and save when it is time.
    hooks.after_step(report);
    if (skipped_in_a_row == kMostSkippedSteps) throw_too_many_skipped(report);
    if (report.skipped()) continue;
    if (is_due(options.validate_every)) hooks.validate();
    if (is_due(options.checkpoint_every)) hooks.save_checkpoint();
  }
  epochs.end();
}

// The sums of the loss over a batch, without dropout. Leaves the model unchanged.
CrossEntropy evaluate(const Transformer& model, const TranslationBatch& batch, double label_smoothing);

}  // namespace plainformer
