// Paper: 5.4 Regularization (label smoothing), epsilon_ls = 0.1
//
// The loss of a batch: the cross-entropy against q = (1 - epsilon) one_hot + epsilon / vocab, averaged over
// the target's tokens; padding does not count.
#pragma once

#include "core/parameter.h"
#include "transformer/token_batch.h"
#include "ops/cross_entropy.h"

namespace plainformer {

// Sums over all target tokens (see CrossEntropy).    logits [batch, target_len, vocab]
CrossEntropy label_smoothing_forward(const Tensor& logits, const TokenBatch& target_output, double epsilon);

// grad_logits of loss / tokens, where `tokens` is what the sum will be divided by (with gradient
// accumulation: the tokens of all its batches). Move the logits in: the gradient takes their place.
Tensor label_smoothing_backward(Index tokens, Tensor logits, const TokenBatch& target_output, double epsilon);

// Both from the decoder's output, without ever holding all logits: the sums of label_smoothing_forward for
// logits = decoder_output embedding^T.    decoder_output [batch, target_len, d_model], embedding [vocab,
// d_model]
CrossEntropy output_loss_forward(const Tensor& decoder_output, const Parameter& embedding,
                                 const TokenBatch& target_output, double epsilon);

// And with the gradients of loss / tokens: grad_decoder_output is returned in `grad`, embedding.grad is added
// to.
CrossEntropy output_loss_forward_backward(Index tokens, const Tensor& decoder_output, Parameter& embedding,
                                          const TokenBatch& target_output, double epsilon, Tensor& grad);

}  // namespace plainformer
