// Paper: 4 Why Self-Attention, Table 1
//
// The layers that the table compares, behind one face: each maps n vectors of width d to as many.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/parameter.h"

namespace plainformer {

enum class LayerKind {
  kSelfAttention,         // every position sees all
  kRecurrent,             // RecurrentLayer
  kConvolution,           // ConvolutionLayer, contiguous
  kDilatedConvolution,    // the same; in layer l of a stack the dilation is kernel^l
  kSeparableConvolution,  // SeparableConvolutionLayer
  kNeighbors,             // self-attention to r neighbors, centered
  kNeighborsAndGlobal,    // the same, with global positions
};

// All kinds, in the order of the table.
const std::vector<LayerKind>& layer_kinds();
std::string name_of(LayerKind kind);
bool is_attention(LayerKind kind);

struct LayerSizes {
  Index d = 64, heads = 4;
  Index kernel = 3;     // k
  Index neighbors = 9;  // r, odd
  Index global = 1;     // in kNeighborsAndGlobal
};

// A layer with its cache: backward follows forward. Copies share both.
struct SequenceLayer {
  std::function<Tensor(const Tensor& x)> forward;             // [batch, len, d] -> [batch, len, d]
  std::function<Tensor(const Tensor& grad_output)> backward;  // returns grad_x, adds to the parameters
  ParameterList parameters;                                   // all 0; empty for attention alone
};

// Layer `depth` of a stack, from 0. Attention has its four projections.
SequenceLayer make_layer(LayerKind kind, const LayerSizes& sizes, Index depth);

// Layer `depth` as Table 1 counts it: attention without projections, softmax(X X^T / sqrt(d_k)) X.
SequenceLayer make_bare_layer(LayerKind kind, const LayerSizes& sizes, Index depth);

}  // namespace plainformer
