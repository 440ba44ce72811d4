#include "training/training_loop.h"

#include <limits>

#include "core/check.h"
#include "core/input_error.h"
#include "ops/reductions.h"

namespace plainformer {

StepReport& StepReport::operator+=(const CrossEntropy& sums) {
  loss += sums.loss / static_cast<double>(target_tokens);
  log_probability += sums.log_probability / static_cast<double>(target_tokens);
  return *this;
}

namespace training_step {

std::vector<TranslationBatch> Epochs::next(Index count) {
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

void Epochs::end() {
  if (batches_ == 0 || progress_.batch < batches_) return;
  ++progress_.epoch;
  progress_.batch = 0;
}

void Epochs::begin() {
  batches_ = source_.begin_epoch(progress_.epoch);
  CHECK(batches_ >= 1, "epoch ", progress_.epoch, " has ", batches_, " batches");
}

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
          .seed = options.seed,
          .attempt = attempt,
          .batch = batch};
}

double norm_of_gradients(const ParameterList& parameters) {
  double squares = 0;
  for (const NamedParameter& p : parameters) squares += sum_of_squares(p.parameter->grad);
  return std::sqrt(squares);
}

bool can_update(double scale, StepReport& report) {
  if (report.skipped()) return false;
  constexpr double kLargest = std::numeric_limits<Real>::max();
  const double norm = report.grad_norm * scale;
  if (!(norm * norm <= kLargest))
    report.not_finite = "the gradient";
  else if (report.learning_rate > kLargest)
    report.not_finite = "the learning rate";
  return !report.skipped();
}

void count_skipped(const StepReport& report, int& skipped_in_a_row) {
  constexpr int kMost = 10;
  skipped_in_a_row = report.skipped() ? skipped_in_a_row + 1 : 0;
  if (skipped_in_a_row < kMost) return;
  throw input_error(
      "the training",
      std::to_string(kMost) + " steps in a row were skipped, because " + report.not_finite + " is not finite",
      "lower --learning-rate-scale, or try --clip-norm 1; the last checkpoint is good");
}

}  // namespace training_step

CrossEntropy evaluate(const Transformer& model, const TranslationBatch& batch, double label_smoothing) {
  const Tensor memory = model.encode(batch.source);
  const Tensor decoder_output = model.decode(batch.target_input, memory, batch.source.lengths);
  return projected_cross_entropy_forward(decoder_output, model.embedding, batch.targets(), label_smoothing);
}

}  // namespace plainformer
