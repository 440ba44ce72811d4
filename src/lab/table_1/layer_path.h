// Paper: 4 Why Self-Attention, Table 1 (maximum path length)
//
//   "Learning long-range dependencies is a key challenge in many sequence transduction tasks. One key factor
//   affecting the ability to learn such dependencies is the length of the paths forward and backward signals
//   have to traverse in the network."
#pragma once

#include "lab/table_1/sequence_layer.h"

namespace plainformer {

// The input positions of layer `depth` that have a gradient if these output positions have one, found by a backward
// pass.
std::vector<bool> positions_heard(LayerKind kind, const LayerSizes& sizes, const std::vector<bool>& by,
                                  Index depth);

// How many layers must be stacked until the last output position has a gradient with respect to every input
// position, 0 to n - 1: until its receptive field holds them all. Found by backward passes, from the top
// layer down: the positions that have a gradient get one at random (of size 1, so that no product of many
// small weights becomes 0), and the layer's backward shows which positions it reaches. At most `most` layers;
// most + 1 if they do not suffice.
Index layers_until_all_is_heard(LayerKind kind, const LayerSizes& sizes, Index n, Index most);

// The number of layers by arithmetic; h = (r - 1) / 2.
//   self-attention, recurrent 1; convolution (n - 1) / (k - 1) and dilated log_k(n), rounded up;
//   r neighbors (n - 1) / h, rounded up; with global positions at most 2
Index formula_layers(LayerKind kind, const LayerSizes& sizes, Index n);

// "log_k(n)", as the paper has it; "" if it has none.
std::string paper_path(LayerKind kind);

}  // namespace plainformer
