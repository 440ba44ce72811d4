#include "training/label_smoothing.h"

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

}  // namespace plainformer
