// Paper: 5 Training
//
// The loop: take batches, forward, loss, backward, clip, update, report, validate, save. It knows nothing of
// files, progress bars and signals: the program adds them through hooks.
#pragma once

#include <chrono>
#include <cmath>
#include <concepts>
#include <functional>
#include <string>
#include <vector>

#include "ops/adam.h"
#include "training/training_options.h"
#include "transformer/transformer.h"

namespace plainformer {

// The contract of a model that train() trains. Transformer keeps it, the wrappers RDrop and
// RecomputingTransformer keep it, and so may a class of your own: one that reads the source only, or that has
// other layers.
//
//   Cache                   what a forward pass leaves for the backward pass
//   forward                 -> the output that the loss is computed from. It reads of a batch what it needs
//   loss_forward_backward   the loss of a batch, summed over its targets. Sets grad_output to the gradient of
//                           grad_loss times that loss, and adds to the gradients of the parameters that the
//                           loss uses
//   backward                adds to the gradients of all other parameters
//   parameters              all of them, always in the same order
template <typename Model>
concept TrainableModel = requires(Model& model, typename Model::Cache& cache, const TranslationBatch& batch,
                                  const DropoutState& dropout, Tensor& output, Tensor& grad_output,
                                  Real grad_loss, double smoothing) {
  { model.forward(batch.source, batch.target_input, dropout, cache) } -> std::same_as<Tensor>;
  {
    model.loss_forward_backward(grad_loss, output, batch, smoothing, grad_output)
    } -> std::same_as<CrossEntropy>;
  model.backward(grad_output, cache);
  { model.parameters() } -> std::same_as<ParameterList>;
};

// The source of the batches.
struct BatchSource {
  // Shuffles the batches for an epoch and returns their number, at least 1. An epoch always has the same
  // order, so that a resumed run can continue in the middle of it.
  std::function<Index(Index epoch)> begin_epoch;
  // The batch at this index in the epoch's order.
  std::function<TranslationBatch(Index index)> batch;
};

struct StepReport {
  double loss = 0;             // per target token, smoothed, in nats
  double log_probability = 0;  // per target token, without smoothing, in nats
  Index source_tokens = 0, target_tokens = 0;
  double learning_rate = 0;
  double grad_norm = 0;  // before clipping
  double seconds = 0;    // from the first forward pass to the update
  // "the loss", "the gradient" or "the learning rate", if that is not finite. Such a step is skipped: it
  // changes no weight. Empty if the step was made.
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

// Takes batches from the source, one epoch after another.
class Epochs {
 public:
  Epochs(const BatchSource& source, TrainingProgress& progress) : source_(source), progress_(progress) {}

  // The next batches, at most `count`: all of one epoch.
  std::vector<TranslationBatch> next(Index count);
  // Goes on to the next epoch if this one is used up.
  void end();

 private:
  void begin();

  const BatchSource& source_;
  TrainingProgress& progress_;
  Index batches_ = 0;  // of this epoch; 0: it has not begun
};

// The tokens of the batches.
StepReport report_of(const std::vector<TranslationBatch>& batches);

DropoutState dropout_of(const TrainingOptions& options, Index attempt, Index batch);

// The Euclidean length of all gradients together.
double norm_of_gradients(const ParameterList& parameters);

// Says whether Adam can make this step. It squares the scaled gradients; if a Real cannot hold the square of
// their length, or the learning rate, the report names the number.
bool can_update(double scale, StepReport& report);

// Throws std::runtime_error after ten skipped steps in a row: no later one will be made.
void count_skipped(const StepReport& report, int& skipped_in_a_row);

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
    StepReport report = report_of(batches);
    const auto start = std::chrono::steady_clock::now();

    // Step 2. Zero the gradients.
    zero_gradients(parameters);

    // Step 3. For each batch: forward, loss, backward. The loss is the mean over the tokens of all batches.
    // Three places add to embedding.grad: the projection in the loss (linear_transposed_backward), and in
    // backward the inputs of both stacks (Transformer::input_backward).
    for (Index i = 0; i < std::ssize(batches) && !report.skipped(); ++i) {
      const DropoutState dropout = dropout_of(options, progress.attempts, i);
      const Tensor output = model.forward(batches[i].source, batches[i].target_input, dropout, cache);
      const Real grad_loss = 1 / static_cast<Real>(report.target_tokens);
      Tensor grad_output;
      report +=
          model.loss_forward_backward(grad_loss, output, batches[i], options.label_smoothing, grad_output);
      if (std::isfinite(report.loss))
        model.backward(grad_output, cache);
      else
        report.not_finite = "the loss";
    }
    ++progress.attempts;

    // Step 4. Clip: if the gradient is longer than clip_norm, scale it down to that length.
    report.grad_norm = norm_of_gradients(parameters);
    const double scale = options.clip_norm > 0 ? std::min(1.0, options.clip_norm / report.grad_norm) : 1;

    // Step 5. Update with Adam, unless a number of this step is not finite or does not fit into a Real.
    report.learning_rate = options.learning_rate.at(adam.steps() + 1);
    if (can_update(scale, report)) adam.step(parameters, report.learning_rate, scale);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    // Step 6. Report, validate, save.
    hooks.after_step(report);
    count_skipped(report, skipped_in_a_row);
    if (report.skipped()) continue;
    if (is_due(options.validate_every)) hooks.validate();
    if (is_due(options.checkpoint_every)) hooks.save_checkpoint();
  }
  epochs.end();
}

// The sums of the loss over a batch, without dropout. Leaves the model unchanged.
CrossEntropy evaluate(const Transformer& model, const TranslationBatch& batch, double label_smoothing);

}  // namespace plainformer
