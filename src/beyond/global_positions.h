// The global positions of neighbor_attention: their queries see all keys, so they go through equation (1),
// attention_forward, by themselves. Both ways share this.
#pragma once

#include "beyond/neighbor_attention.h"

namespace plainformer {

// Fills rows 0 .. global - 1 of `output`, from the arguments that the cache holds.
Tensor global_positions_forward(Tensor output, NeighborAttentionCache& cache);

// Adds the gradients of those rows' inputs to `grad`, the gradients of the other rows' inputs.
AttentionGradients global_positions_backward(const Tensor& grad_output, const NeighborAttentionCache& cache,
                                             AttentionGradients grad);

}  // namespace plainformer
