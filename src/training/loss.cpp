#include "training/loss.h"

#include "training/targets.h"

namespace plainformer {

Loss smoothed_cross_entropy(double label_smoothing) {
  return [label_smoothing](const Tensor& decoder_output, Parameter& embedding, const TranslationBatch& batch,
                           Index tokens, Tensor& grad_decoder_output) {
    return projected_cross_entropy_forward_backward(1 / static_cast<Real>(tokens), decoder_output, embedding,
                                                    targets_of(batch.target_output), label_smoothing,
                                                    grad_decoder_output);
  };
}

}  // namespace plainformer
