// Paper: 5.4 Regularization (the loss of a training step, with label smoothing)
#pragma once

#include <functional>

#include "ops/cross_entropy.h"
#include "transformer/translation_batch.h"

namespace plainformer {

// The loss of a batch, the output projection included, and its backward pass. Returns the sums over the batch, sets
// grad_decoder_output, and adds to embedding.grad. The gradients are those of the mean over the step's tokens.
//   decoder_output, grad_decoder_output   [batch, target_len, d_model]
//   tokens                                the target tokens of all batches of the step
using Loss =
    std::function<CrossEntropy(const Tensor& decoder_output, Parameter& embedding,
                               const TranslationBatch& batch, Index tokens, Tensor& grad_decoder_output)>;

// The paper's loss: cross-entropy against smoothed targets.
Loss smoothed_cross_entropy(double label_smoothing);

}  // namespace plainformer
