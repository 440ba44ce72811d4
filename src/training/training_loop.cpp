#include "training/training_loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "core/check.h"
#include "ops/sum_of_squares.h"
#include "training/first_not_finite.h"
#include "training/targets.h"

namespace plainformer {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The Euclidean length of all gradients together.
double norm_of_gradients(const ParameterList& parameters) {
  double squares = 0;
  for (const NamedParameter& p : parameters) squares += sum_of_squares(p.parameter->grad);
  return std::sqrt(squares);
}

// Whether Adam can make this step. It squares the scaled gradients; if a Real cannot hold the square of their length, or
// the learning rate, the report names the number.
bool can_update(const ParameterList& parameters, double scale, StepReport& report) {
  if (report.skipped()) return false;
  constexpr double kLargest = std::numeric_limits<Real>::max();
  const double norm = report.grad_norm * scale;
  if (!(norm * norm <= kLargest))
    report.not_finite = first_not_finite_gradient(parameters);
  else if (report.learning_rate > kLargest)
    report.not_finite = "the learning rate";
  return !report.skipped();
}

// Takes batches from the source, one epoch after another.
class Epochs {
 public:
  Epochs(const BatchSource& source, TrainingProgress& progress) : source_(source), progress_(progress) {}

  // The next batches, at most `count`: all of one epoch.
  std::vector<TranslationBatch> next(Index count) {
    if (batches_ == 0) begin();
    while (progress_.batch >= batches_) {
      end();
      begin();
    }
    std::vector<TranslationBatch> taken;
    while (std::ssize(taken) < count && progress_.batch < batches_)
      taken.push_back(source_.batch(progress_.batch++));
    return taken;
  }

  // Goes on to the next epoch if this one is used up.
  void end() {
    if (batches_ == 0 || progress_.batch < batches_) return;
    ++progress_.epoch;
    progress_.batch = 0;
  }

 private:
  void begin() {
    batches_ = source_.begin_epoch(progress_.epoch);
    CHECK(batches_ >= 1, "epoch ", progress_.epoch, " has ", batches_, " batches");
  }

  const BatchSource& source_;
  TrainingProgress& progress_;
  Index batches_ = 0;  // of this epoch; 0: it has not begun
};

StepReport report_of(const std::vector<TranslationBatch>& batches) {
  StepReport report;
  for (const TranslationBatch& batch : batches) {
    report.source_tokens += batch.source_tokens();
    report.target_tokens += batch.target_tokens();
  }
  return report;
}

DropoutState dropout_of(const TrainingOptions& options, Index attempt, Index batch) {
  return {.probability = static_cast<Real>(options.dropout),
          .attention_probability = static_cast<Real>(options.attention_dropout),
          .seed = options.seed,
          .attempt = attempt,
          .batch = batch};
}

void check(const TrainingOptions& options) {
  const std::optional<OutOfRange> bad = options.first_out_of_range();
  CHECK(!bad, bad->quantity, " ", bad->value, " is out of range: ", bad->hint);
  CHECK(options.accumulate >= 1 && options.accumulate <= DropoutState::kMostBatches,
        "batches in a step: ", options.accumulate);
}

}  // namespace

void train(const TrainedModel& model, Adam& adam, TrainingProgress& progress, const TrainingOptions& options,
           const BatchSource& source, const TrainingHooks& hooks) {
  check(options);
  const auto& [parameters, embedding, passes] = model;  // passes: Transformer::forward and backward
  // The paper's loss is the smoothed cross-entropy.
  const Loss loss = hooks.loss ? hooks.loss : smoothed_cross_entropy(options.label_smoothing);
  const auto is_due = [&](Index every) { return every > 0 && adam.steps() % every == 0; };
  Epochs epochs(source, progress);
  while (adam.steps() < options.steps && !hooks.stop()) {
    // Step 1. Take the next batches: one, or several whose gradients add up.
    const std::vector<TranslationBatch> batches = epochs.next(options.accumulate);
    StepReport report = report_of(batches);
    const auto start = Clock::now();

    // Step 2. Zero the gradients.
    zero_gradients(parameters);

    // Step 3. For each batch: forward, loss, backward. The loss is the mean over the tokens of all batches.
    // Three places add to embedding.grad: the projection in the loss (linear_transposed_backward), and in backward the
    // inputs of both stacks (Transformer::input_backward).
    for (Index i = 0; i < std::ssize(batches); ++i) {
      const DropoutState dropout = dropout_of(options, progress.attempts, i);
      const Tensor decoder_output = passes.forward(batches[i], report.target_tokens, dropout);
      Tensor grad_decoder_output;  // the loss sets it, and adds to embedding.grad
      report += loss(decoder_output, embedding, batches[i], report.target_tokens, grad_decoder_output);
      if (!std::isfinite(report.loss)) {
        report.not_finite = passes.first_not_finite();
        break;
      }
      passes.backward(grad_decoder_output);
    }
    ++progress.attempts;

    // Step 4. Clip: if the gradient is longer than clip_norm, scale it down to that length.
    report.grad_norm = norm_of_gradients(parameters);
    const double scale = options.clip_norm > 0 ? std::min(1.0, options.clip_norm / report.grad_norm) : 1;

    // Step 5. Update with Adam, unless a number of this step is not finite or does not fit into a Real.
    report.learning_rate = options.learning_rate.at(adam.steps() + 1);
    if (can_update(parameters, scale, report)) adam.step(parameters, report.learning_rate, scale);
    report.seconds = seconds_since(start);

    // Step 6. Report, validate, save.
    hooks.after_step(report);
    if (report.skipped()) continue;
    if (is_due(options.validate_every)) hooks.validate();
    if (is_due(options.checkpoint_every)) hooks.save_checkpoint();
  }
  epochs.end();
}

void train(Transformer& model, Adam& adam, TrainingProgress& progress, const TrainingOptions& options,
           const BatchSource& source, const TrainingHooks& hooks) {
  const ModelPasses passes = hooks.passes.forward ? hooks.passes : passes_of(model);
  train({model.parameters(), model.embedding, passes}, adam, progress, options, source, hooks);
}

CrossEntropy evaluate(const Transformer& model, const TranslationBatch& batch, double label_smoothing) {
  const Tensor memory = model.encode(batch.source);
  const Tensor decoder_output = model.decode(batch.target_input, memory, batch.source.lengths);
  return projected_cross_entropy_forward(decoder_output, model.embedding, targets_of(batch.target_output),
                                         label_smoothing);
}

}  // namespace plainformer
