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

}  // namespace plainformer
