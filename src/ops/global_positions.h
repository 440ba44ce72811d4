// The global positions of neighbor_attention: their queries see all keys, so they go through equation (1),
// attention_forward, by themselves. Both ways share this.
#pragma once

#include "ops/neighbor_attention.h"

namespace plainformer {

// Fills rows 0 .. global - 1 of `output`, from the arguments that the cache holds.
void global_positions_forward(NeighborAttentionCache& cache, Tensor& output);

// Adds the gradients of those rows' inputs.
void global_positions_backward(const Tensor& grad_output, const NeighborAttentionCache& cache,
                               AttentionGradients& grad);

}  // namespace plainformer
