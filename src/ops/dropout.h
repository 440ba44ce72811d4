// Dropout (Srivastava et al. 2014), inverted: what is kept is scaled up, so that nothing changes at
// inference.
#pragma once

#include "core/random.h"
#include "core/tensor.h"

namespace plainformer {

// y_i = x_i / (1 - probability) if element i is kept, else 0. Element i of stream `key` decides, so the same
// key drops the same elements: no mask is stored.   probability in [0, 1); 0 returns x as it is
Tensor dropout_forward(Tensor x, Real probability, RandomKey key);

// grad_x_i = grad_y_i / (1 - probability) if element i was kept, else 0: the same function, drawn again.
Tensor dropout_backward(Tensor grad_y, Real probability, RandomKey key);

// Which elements of a stream are dropped, for operations that apply dropout on the way.
class DropoutRule {
 public:
  // probability in [0, 1); size: how many elements the tensor has, at most 2^32
  DropoutRule(Real probability, RandomKey key, Index size);

  // to = dropout of the elements first .. first + n - 1, which are at `from`; may be in place.
  void apply(Index first, Index n, const Real* from, Real* to) const;

 private:
  RandomKey key_;
  std::uint32_t threshold_;  // an element is dropped when its 32 random bits are below it
  Real scale_;
};

}  // namespace plainformer
