// Beyond the paper: R-Drop (Liang et al. 2021, "R-Drop: Regularized Dropout for Neural Networks").
//
// Two passes over the same batch drop other elements, so they give two distributions p and q for each token.
// Beside the target, each is asked to agree with the other. The loss of a token is half of that paper's:
//   L = (loss(p) + loss(q)) / 2 + alpha/4 (KL(p || q) + KL(q || p)),    KL(p || q) = sum over k of p_k log(p_k / q_k)
#pragma once

#include <span>

#include "ops/cross_entropy.h"

namespace plainformer {

struct RDropOptions {
  double alpha = 0;      // the weight of the divergences, 0 or more
  double smoothing = 0;  // epsilon_ls of loss(p) and loss(q)
};

// The loss, and the gradients of grad_loss times the sum of L over the tokens: sets grad_x and adds to table.grad, like
// projected_cross_entropy_forward_backward. The result holds (loss(p) + loss(q)) / 2, the loss without R-Drop.
//   x, grad_x [2 * batch, target_len, d]: the first pass, then the second; may be one tensor
//   table     [K, d]
//   targets   [batch * target_len]: of both, each a class or kNoTarget
CrossEntropy r_drop_forward_backward(Real grad_loss, const RDropOptions& options, const Tensor& x,
                                     Parameter& table, std::span<const int> targets, Tensor& grad_x);

}  // namespace plainformer
