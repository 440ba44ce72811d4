// Cross-entropy against a smoothed target, from logits.
#pragma once

#include <span>

#include "core/tensor.h"

namespace plainformer {

struct CrossEntropy {
  double loss = 0;  // summed over the rows that have a target, against the smoothed distribution, in nats
  double log_probability = 0;  // summed log p(target), without smoothing, in nats
  Index rows = 0;              // how many rows have a target
};

// The target distribution is q = (1 - smoothing) one_hot(target) + smoothing / K over all K classes
// (Szegedy et al. 2016, with u = 1/K). With p = softmax(x):
//   loss = -sum over k of q_k log p_k
//        = log(sum over k of exp x_k) - (1 - smoothing) x_target - smoothing mean(x)
//
//   x        [rows, K] (leading axes are rows)
//   targets  a class for each row, or kNoTarget for a row that does not count
inline constexpr int kNoTarget = -1;
CrossEntropy cross_entropy_forward(const Tensor& x, std::span<const int> targets, double smoothing);

// grad_x = grad_loss (p - q) on the rows that have a target, else 0. x may be given away: then it is in
// place.
Tensor cross_entropy_backward(Real grad_loss, Tensor x, std::span<const int> targets, double smoothing);

// Both at once, with one exp for each logit: returns forward's sums, and sets grad_x as backward does.
CrossEntropy cross_entropy_forward_backward(Real grad_loss, Tensor x, std::span<const int> targets,
                                            double smoothing, Tensor& grad_x);

}  // namespace plainformer
