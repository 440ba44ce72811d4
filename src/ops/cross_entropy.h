// Paper: 5.4 Regularization (label smoothing), epsilon_ls = 0.1
//
// Cross-entropy against a smoothed target, from logits x. The target distribution over all K classes is
//   q = (1 - smoothing) one_hot(target) + smoothing / K                       (Szegedy et al. 2016, u = 1/K)
// and with p = softmax(x)
//   loss = - sum over k of q_k log p_k
#pragma once

#include <span>

#include "core/parameter.h"

namespace plainformer {

struct CrossEntropy {
  double loss = 0;  // summed over the rows that have a target, against the smoothed distribution, in nats
  double log_probability = 0;  // summed log p(target), without smoothing, in nats
  Index rows = 0;              // the number of rows that have a target

  CrossEntropy& operator+=(const CrossEntropy& other) {
    loss += other.loss;
    log_probability += other.log_probability;
    rows += other.rows;
    return *this;
  }
};

// Marks a row without a target, which does not count.
inline constexpr int kNoTarget = -1;

// The loss of logits x. It exists only in the plain way.
//   x [..., K] (leading axes are rows), targets [rows]: a class for each row, or kNoTarget
CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing);

// grad_x = grad_loss (p - q) on the rows that have a target, else 0.
Tensor cross_entropy_backward(Real grad_loss, const Tensor& x, std::span<const int> targets,
                              double smoothing);

// The loss of the logits hidden table^T, projection included. All logits together have rows times vocabulary
// elements, so the fast way computes them one block of rows at a time.
//   hidden [..., d] (leading axes are rows), table [K, d], targets [rows]
CrossEntropy projected_cross_entropy_forward(const Tensor& hidden, const Parameter& table,
                                             std::span<const int> targets, double smoothing);

// Returns that loss and passes grad_loss times it backward: sets grad_hidden, which may be hidden, and adds
// to table.grad. Forward and backward are one function, so that a block of logits is kept only until its
// gradient is known.
CrossEntropy projected_cross_entropy_forward_backward(Real grad_loss, const Tensor& hidden, Parameter& table,
                                                      std::span<const int> targets, double smoothing,
                                                      Tensor& grad_hidden);

// std::logic_error unless each of the `rows` targets is one of the classes or kNoTarget, and smoothing is in
// [0, 1).
void check_targets(Index rows, Index classes, std::span<const int> targets, double smoothing);

}  // namespace plainformer
