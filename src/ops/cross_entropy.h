// Paper: 5.4 Regularization (label smoothing), epsilon_ls = 0.1
//
// Cross-entropy against a smoothed target, from logits x. The target distribution is
//   q = (1 - smoothing) one_hot(target) + smoothing / K       over all K classes (Szegedy et al. 2016, u = 1/K)
// and with p = softmax(x)
//   loss = - sum over k of q_k log p_k
#pragma once

#include <span>

#include "core/parameter.h"

namespace plainformer {

struct CrossEntropy {
  double loss = 0;  // summed over the rows that have a target, against the smoothed distribution, in nats
  double log_probability = 0;  // summed log p(target), without smoothing, in nats
  Index rows = 0;              // how many rows have a target
};

// The target of a row that does not count.
inline constexpr int kNoTarget = -1;

// From logits (the plain way is the only one).
//   x [..., K] (leading axes are rows), targets [rows]: a class for each row, or kNoTarget
CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing);

// grad_x = grad_loss (p - q) on the rows that have a target, else 0.
Tensor cross_entropy_backward(Real grad_loss, const Tensor& x, std::span<const int> targets, double smoothing);

// From what the logits are projected from, x table^T: the sums of cross_entropy_forward. The fast way computes
// them a block of rows at a time, because all logits together are as large as rows times vocabulary.
//   x [..., d] (leading axes are rows), table [K, d], targets [rows]
CrossEntropy projected_cross_entropy_forward(const Tensor& x, const Parameter& table,
                                             std::span<const int> targets, double smoothing);

// The same sums, and the gradients of grad_loss times the loss: grad_x is set, table.grad is added to. Forward
// and backward in one, because a block of logits is worth keeping only until its gradient is known.
CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& x, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_x);

}  // namespace plainformer
