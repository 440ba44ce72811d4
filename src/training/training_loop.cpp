#include "training/training_loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "beyond/attention_regularization.h"
#include "beyond/r_drop.h"
#include "core/check.h"
#include "ops/sum_of_squares.h"
#include "training/first_not_finite.h"
#include "training/layer_drop.h"
#include "training/targets.h"
#include "training/twice.h"

namespace plainformer {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The Euclidean length of all gradients together, squared.
double squared_norm_of_gradients(const ParameterList& parameters) {
  double squares = 0;
  for (const NamedParameter& p : parameters) squares += sum_of_squares(p.parameter->grad);
  return squares;
}

// The first quantity of an update that a Real cannot hold; "" if there is none.
std::string not_finite_in_update(const ParameterList& parameters, double squares, double learning_rate) {
  constexpr double kLargest = std::numeric_limits<Real>::max();
  if (!(squares <= kLargest)) return first_not_finite_gradient(parameters);
  return learning_rate > kLargest ? "the learning rate" : "";
}

void count_tokens(const std::vector<TranslationBatch>& batches, StepReport& report) {
  for (const TranslationBatch& batch : batches) {
    report.source_tokens += batch.source_tokens();
    report.target_tokens += batch.target_tokens();
  }
}

// The penalty is a mean over the target tokens, and over the two passes of R-Drop, like the loss.
DropoutState::AttentionHook attention_hook_of(const TrainingOptions& options, Index target_tokens) {
  if (options.head_dropout == 0 && options.attention_penalty == 0) return {};
  const double passes = options.r_drop > 0 ? 2 : 1;
  return hooks_of({.weight_dropout = static_cast<Real>(options.attention_dropout),
                   .head_dropout = static_cast<Real>(options.head_dropout),
                   .penalty = static_cast<Real>(options.attention_penalty /
                                                (passes * static_cast<double>(target_tokens)))});
}

// The loss, or that of R-Drop, for which the batch was doubled.
CrossEntropy loss_forward_backward(const TrainingOptions& options, Real grad_loss,
                                   const Tensor& decoder_output, Parameter& embedding,
                                   const TokenBatch& target_output, Tensor& grad_decoder_output) {
  const std::vector<int> targets = targets_of(target_output);
  if (options.r_drop > 0)
    return r_drop_forward_backward(grad_loss, {options.r_drop, options.label_smoothing}, decoder_output,
                                   embedding, targets, grad_decoder_output);
  return projected_cross_entropy_forward_backward(grad_loss, decoder_output, embedding, targets,
                                                  options.label_smoothing, grad_decoder_output);
}

void check(const TrainingOptions& options) {
  const std::optional<OutOfRange> bad = options.first_out_of_range();
  CHECK(!bad, bad->quantity, " ", bad->value, " is out of range: ", bad->hint);
  CHECK(options.accumulate >= 1 && options.accumulate <= DropoutState::kMostBatches,
        "batches in a step: ", options.accumulate);
}

}  // namespace

void train(Transformer& model, Adam& adam, TrainingProgress& progress, const TrainingOptions& options,
           const BatchSource& source, const TrainingHooks& hooks) {
  check(options);
  const ParameterList parameters = model.parameters();
  Transformer::Cache cache;
  cache.encoder.recompute = cache.decoder.recompute = options.recompute;
  const auto finished = [&] { return adam.steps() >= options.steps || hooks.stop(); };
  const auto is_due = [&](Index every) { return every > 0 && adam.steps() % every == 0; };

  while (!finished()) {
    const Index batches_in_epoch = source.begin_epoch(progress.epoch);
    CHECK(batches_in_epoch >= 1, "epoch ", progress.epoch, " has ", batches_in_epoch, " batches");
    while (progress.batch < batches_in_epoch && !finished()) {
      // Step 1. Take the next batches: one, or several whose gradients add up.
      StepReport report;
      std::vector<TranslationBatch> batches;
      while (std::ssize(batches) < options.accumulate && progress.batch < batches_in_epoch)
        batches.push_back(source.batch(progress.batch++));
      count_tokens(batches, report);
      const auto start = Clock::now();
      const auto tokens = static_cast<double>(report.target_tokens);

      // Step 2. Zero the gradients.
      zero_gradients(parameters);

      // Step 3. For each batch: forward, loss, backward. The loss is the mean over the tokens of all batches.
      for (Index i = 0; i < std::ssize(batches) && !report.skipped(); ++i) {
        const TranslationBatch batch = options.r_drop > 0 ? twice(batches[i]) : batches[i];
        const DropoutState dropout = {.probability = static_cast<Real>(options.dropout),
                                      .attention_probability = static_cast<Real>(options.attention_dropout),
                                      .attention_hook = attention_hook_of(options, report.target_tokens),
                                      .seed = options.seed,
                                      .attempt = progress.attempts,
                                      .batch = i};
        std::optional<ShallowerModel> some_layers;
        if (options.layer_drop > 0) some_layers.emplace(model, options.layer_drop, dropout);
        const Tensor decoder_output = model.forward(batch.source, batch.target_input, dropout, cache);
        Tensor grad_decoder_output;
        const CrossEntropy sums =
            loss_forward_backward(options, 1 / static_cast<Real>(report.target_tokens), decoder_output,
                                  model.embedding, batches[i].target_output, grad_decoder_output);
        report.loss += sums.loss / tokens;
        report.log_probability += sums.log_probability / tokens;
        if (std::isfinite(report.loss))
          model.backward(grad_decoder_output, cache);
        else
          report.not_finite =
              first_not_finite_output(cache) + (some_layers ? " (of the layers that layer drop left)" : "");
      }
      ++progress.attempts;

      report.learning_rate = options.learning_rate.at(adam.steps() + 1);
      if (!report.skipped()) {
        // Step 4. Clip: if the gradient is longer than clip_norm, scale it down to that length.
        const double squares = squared_norm_of_gradients(parameters);
        report.grad_norm = std::sqrt(squares);
        const double scale =
            options.clip_norm > 0 ? std::min(1.0, options.clip_norm / report.grad_norm) : 1.0;

        // Step 5. Update with Adam, if its squares and its learning rate fit into a Real.
        report.not_finite = not_finite_in_update(parameters, squares * scale * scale, report.learning_rate);
        if (!report.skipped()) adam.step(parameters, report.learning_rate, scale);
      }
      report.seconds = seconds_since(start);

      // Step 6. Report, validate, save.
      hooks.after_step(report);
      if (report.skipped()) continue;
      if (is_due(options.validate_every)) hooks.validate();
      if (is_due(options.checkpoint_every)) hooks.save_checkpoint();
    }
    if (progress.batch < batches_in_epoch) return;
    ++progress.epoch;
    progress.batch = 0;
  }
}

CrossEntropy evaluate(const Transformer& model, const TranslationBatch& batch, double label_smoothing) {
  Transformer::Cache cache = Transformer::Cache::without_backward();
  const Tensor decoder_output = model.forward(batch.source, batch.target_input, DropoutState{}, cache);
  return projected_cross_entropy_forward(decoder_output, model.embedding, targets_of(batch.target_output),
                                         label_smoothing);
}

}  // namespace plainformer
