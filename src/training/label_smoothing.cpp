#include "training/label_smoothing.h"

#include "ops/cross_entropy.h"

namespace plainformer {

namespace {

// A class for each position; padding has none.
std::vector<int> targets_of(const TokenBatch& target_output) {
  std::vector<int> targets = target_output.ids;
  for (Index element = 0; element < target_output.batch; ++element) {
    for (Index i = target_output.lengths[element]; i < target_output.len; ++i) {
      targets[element * target_output.len + i] = kNoTarget;
    }
  }
  return targets;
}

}  // namespace

CrossEntropy label_smoothing_forward(const Tensor& logits, const TokenBatch& target_output, double epsilon) {
  return cross_entropy_forward(logits, targets_of(target_output), epsilon);
}

Tensor label_smoothing_backward(Index tokens, Tensor logits, const TokenBatch& target_output,
                                double epsilon) {
  return cross_entropy_backward(1 / static_cast<Real>(tokens), std::move(logits), targets_of(target_output),
                                epsilon);
}

CrossEntropy output_loss_forward(const Tensor& decoder_output, const Parameter& embedding,
                                 const TokenBatch& target_output, double epsilon) {
  return projected_cross_entropy_forward(decoder_output, embedding, targets_of(target_output), epsilon);
}

CrossEntropy output_loss_forward_backward(Index tokens, const Tensor& decoder_output, Parameter& embedding,
                                          const TokenBatch& target_output, double epsilon, Tensor& grad) {
  return projected_cross_entropy_forward_backward(1 / static_cast<Real>(tokens), decoder_output, embedding,
                                                  targets_of(target_output), epsilon, grad);
}

}  // namespace plainformer
