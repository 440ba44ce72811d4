// Cross-entropy of logits = x table^T, a block of rows at a time: neither the logits nor their gradients,
// both as wide as the vocabulary, ever exist for all rows at once.
#pragma once

#include <span>

#include "core/parameter.h"
#include "ops/cross_entropy.h"

namespace plainformer {

// The sums of cross_entropy_forward(x table^T, targets, smoothing).
//   x [rows, d] (leading axes are rows), table [classes, d], targets [rows]
CrossEntropy projected_cross_entropy_forward(const Tensor& x, const Parameter& table,
                                             std::span<const int> targets, double smoothing);

// The same sums, and on the way the gradients of grad_loss times the loss: grad_x is set, table.grad is added
// to. Forward and backward in one, because a block of logits is worth keeping only until its gradient is
// known.
CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& x, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_x);

}  // namespace plainformer
