// Paper: 5.4 Regularization (dropout)
//
// Operations on each element by itself: sums and multiples of whole tensors, ReLU, and inverted dropout
// (Srivastava et al. 2014): the kept elements are scaled up, so inference needs no change.
#pragma once

#include "core/random.h"
#include "core/tensor.h"

namespace plainformer {

// x + y, of the same shape. It needs no backward: both inputs get grad_output unchanged.
Tensor add(Tensor x, const Tensor& y);

// factor x. It is its own backward: grad_x = factor grad_y.
Tensor scale(Tensor x, Real factor);

// y = max(0, x), element by element. A NaN stays a NaN.
Tensor relu_forward(Tensor x);

// grad_x = grad_y where y > 0, else 0. It needs only y: y > 0 exactly where x > 0.
Tensor relu_backward(Tensor grad_y, const Tensor& y);

// y_i = x_i / (1 - probability) if element i is kept, else 0. Number i of the stream decides, so the same
// stream drops the same elements again, and no mask is stored.
//   probability in [0, 1); 0 returns x unchanged. x has at most 2^32 elements: a stream has 2^32 numbers
Tensor dropout_forward(Tensor x, Real probability, RandomStream stream);

// grad_x_i = grad_y_i / (1 - probability) if element i was kept, else 0.
Tensor dropout_backward(Tensor grad_y, Real probability, RandomStream stream);

// Element i is dropped when its 32 random bits are below this.
inline std::uint32_t dropout_threshold(Real probability) {
  return static_cast<std::uint32_t>(static_cast<double>(probability) * 4294967296.0);
}

// std::logic_error unless a tensor of this size can be dropped with this probability.
void check_dropout(Real probability, Index size);

}  // namespace plainformer
