#include "training/trainer.h"

#include <cmath>
#include <limits>

#include "ops/sum_of_squares.h"
#include "training/first_not_finite.h"
#include "training/label_smoothing.h"

namespace plainformer {

void TrainingOptions::validate() const {
  const auto require = [](bool holds, const char* option, double value, const char* hint) {
    if (!holds) throw input_error(option, detail::concatenate(value, " is out of range"), hint);
  };
  // As the numbers that the steps compute with: 0.99999999 is 1 in float, and 1e-50 is 0.
  const auto as_real = [](double number) { return static_cast<Real>(number); };
  require(dropout >= 0 && as_real(dropout) < 1, "--dropout", dropout, "choose 0 up to, but not including, 1");
  require(label_smoothing >= 0 && label_smoothing < 1, "--label-smoothing", label_smoothing,
          "choose 0 up to, but not including, 1");
  require(learning_rate.warmup_steps >= 1, "--warmup", static_cast<double>(learning_rate.warmup_steps),
          "choose at least 1 step");
  require(learning_rate.scale > 0 && std::isfinite(learning_rate.scale), "--learning-rate-scale",
          learning_rate.scale, "the paper's is 1");
  require(adam.beta_1 >= 0 && adam.beta_1 < 1, "--adam-beta1", adam.beta_1, "the paper's is 0.9");
  require(adam.beta_2 >= 0 && adam.beta_2 < 1, "--adam-beta2", adam.beta_2, "the paper's is 0.98");
  require(as_real(adam.epsilon) > 0 && adam.epsilon < 1, "--adam-epsilon", adam.epsilon,
          "the paper's is 1e-9");
  require(clip_norm >= 0 && std::isfinite(clip_norm), "--clip-norm", clip_norm, "0 means never; 1 is usual");
}

Trainer::Trainer(Transformer& model, const TrainingOptions& options)
    : model_(model), parameters_(model.parameters()), options_(options), adam_(parameters_, options.adam) {
  options.validate();
  cache_.encoder.recompute = cache_.decoder.recompute = options.recompute;
}

StepReport Trainer::step(const std::vector<TranslationBatch>& batches) {
  StepReport report;
  report.learning_rate = options_.learning_rate.at(adam_.steps() + 1);
  for (const TranslationBatch& batch : batches) {
    report.source_tokens += batch.source_tokens();
    report.target_tokens += batch.target_tokens();
  }

  accumulate(batches, report);
  ++attempts_;
  if (report.skipped()) return report;

  double squares = 0;
  for (const NamedParameter& p : parameters_) squares += sum_of_squares(p.parameter->grad);
  report.grad_norm = std::sqrt(squares);
  const bool clip = options_.clip_norm > 0 && report.grad_norm > options_.clip_norm;
  const double scale = clip ? options_.clip_norm / report.grad_norm : 1.0;

  // Adam squares gradients and multiplies by the rate, as numbers that Real has to hold.
  constexpr double kLargest = std::numeric_limits<Real>::max();
  if (!(squares * scale * scale <= kLargest)) {
    report.not_finite = first_not_finite_gradient(parameters_);
  } else if (report.learning_rate > kLargest) {
    report.not_finite = "the learning rate";
  } else {
    adam_.step(parameters_, report.learning_rate, scale);
  }
  return report;
}

// The gradients and the loss of all batches.
void Trainer::accumulate(const std::vector<TranslationBatch>& batches, StepReport& report) {
  zero_gradients(parameters_);
  std::uint64_t part = 0;
  for (const TranslationBatch& batch : batches) {
    // Each batch of each attempt draws dropout masks of its own.
    const DropoutState dropout = {.probability = static_cast<Real>(options_.dropout),
                                  .seed = options_.seed,
                                  .step = (attempts_ << 16) + part++};
    const Tensor decoder_output =
        model_.forward(batch.source, batch.target_input, dropout, cache_);
    Tensor grad_decoder_output;
    const CrossEntropy sums =
        output_loss_forward_backward(report.target_tokens, decoder_output, model_.embedding,
                                     batch.target_output, options_.label_smoothing, grad_decoder_output);
    report.loss += sums.loss / static_cast<double>(report.target_tokens);
    report.log_probability += sums.log_probability / static_cast<double>(report.target_tokens);
    if (!std::isfinite(report.loss)) {
      report.not_finite = first_not_finite_output(cache_);
      return;
    }
    model_.backward(grad_decoder_output, cache_);
  }
}

void Trainer::restore(Index steps, std::uint64_t attempts, std::vector<Tensor> first_moments,
                      std::vector<Tensor> second_moments) {
  adam_.restore(steps, std::move(first_moments), std::move(second_moments));
  attempts_ = attempts;
}

CrossEntropy Trainer::evaluate(const TranslationBatch& batch) const {
  Transformer::Cache cache = Transformer::Cache::without_backward();
  const Tensor decoder_output =
      model_.forward(batch.source, batch.target_input, DropoutState{}, cache);
  return output_loss_forward(decoder_output, model_.embedding, batch.target_output, options_.label_smoothing);
}

}  // namespace plainformer
