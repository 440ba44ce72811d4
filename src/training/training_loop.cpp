#include "training/training_loop.h"

#include <cmath>
#include <limits>

#include "core/input_error.h"
#include "ops/reductions.h"

namespace plainformer {

StepReport& StepReport::operator+=(const CrossEntropy& sums) {
  loss += sums.loss / static_cast<double>(target_tokens);
  log_probability += sums.log_probability / static_cast<double>(target_tokens);
  return *this;
}

namespace training_step {

StepReport count_tokens(const std::vector<TranslationBatch>& batches) {
  StepReport report;
  for (const TranslationBatch& batch : batches) {
    report.source_tokens += batch.source_tokens();
    report.target_tokens += batch.target_tokens();
  }
  return report;
}

DropoutState dropout_of(const TrainingOptions& options, Index attempt, Index batch) {
  return {.probability = static_cast<Real>(options.dropout),
          .seed = options.seed,
          .attempt = attempt,
          .batch = batch};
}

double norm_of_gradients(const ParameterList& parameters) {
  double squares = 0;
  for (const NamedParameter& p : parameters) squares += sum_of_squares(p.parameter->grad);
  return std::sqrt(squares);
}

std::string find_not_finite(const StepReport& report, double scale) {
  constexpr double kLargest = std::numeric_limits<Real>::max();
  const double scaled_norm = report.grad_norm * scale;
  if (!std::isfinite(report.loss)) return "the loss";
  if (!(scaled_norm * scaled_norm <= kLargest)) return "the gradient";
  if (report.learning_rate > kLargest) return "the learning rate";
  return "";
}

void throw_too_many_skipped(const StepReport& report) {
  throw input_error("the training",
                    std::to_string(kMostSkippedSteps) + " steps in a row were skipped, because " +
                        report.not_finite + " is not finite",
                    "lower --learning-rate-scale, or try --clip-norm 1; the last checkpoint is good");
}

}  // namespace training_step

CrossEntropy evaluate(const Transformer& model, const TranslationBatch& batch, double label_smoothing) {
  const Tensor memory = model.encode(batch.source);
  const Tensor decoder_output = model.decode(batch.target_input, memory, batch.source.lengths);
  return projected_cross_entropy_forward(decoder_output, model.embedding, batch.targets(), label_smoothing);
}

}  // namespace plainformer
