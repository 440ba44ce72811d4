// Paper: 5.4 Regularization (label smoothing), epsilon_ls = 0.1
//
// The loss of a batch: the cross-entropy against q = (1 - epsilon) one_hot + epsilon / vocab, averaged over
// the target's tokens; padding does not count.
#pragma once

#include "layers/token_batch.h"
#include "ops/cross_entropy.h"

namespace plainformer {

// Sums over all target tokens (see CrossEntropy).    logits [batch, target_len, vocab]
CrossEntropy label_smoothing_forward(const Tensor& logits, const TokenBatch& target_output, double epsilon);

// grad_logits of loss / tokens, where `tokens` is what the sum will be divided by (with gradient
// accumulation: the tokens of all its batches). Move the logits in: the gradient takes their place.
Tensor label_smoothing_backward(Index tokens, Tensor logits, const TokenBatch& target_output, double epsilon);

}  // namespace plainformer
