// Paper: 4 Why Self-Attention (why the length of a path matters)
//
// A small model for the tasks over a distance. It is the paper's encoder (3.1) without dropout, with d_ff = 2 d,
// and with the layer of another kind instead of self-attention:
//   x = sqrt(d) embedding + positions;  in each layer  x = LayerNorm(x + Layer(x)),  x = LayerNorm(x + FFN(x))
// and logits = x embedding^T (3.4).
#pragma once

#include "lab/table_1/distance_task.h"
#include "lab/table_1/sequence_layer.h"
#include "transformer/feed_forward.h"
#include "transformer/positional_encoding.h"
#include "transformer/residual_layer_norm.h"

namespace plainformer {

class DistanceModel {
 public:
  // Random weights.    longest: of all sequences
  DistanceModel(LayerKind kind, const LayerSizes& sizes, Index layers, Index longest, std::uint64_t seed);

  // Adds the gradients of the mean loss to all parameters. Returns that loss.
  double forward_backward(const TaskBatch& batch);

  // The share of the targets that are the most likely symbol.
  double accuracy(const TaskBatch& batch);

  ParameterList parameters();

 private:
  struct Layer {
    SequenceLayer mix;
    FeedForward feed_forward;
    ResidualLayerNorm mix_norm, feed_forward_norm;
    FeedForward::Cache feed_forward_cache = {};
    ResidualLayerNorm::Cache mix_norm_cache = {}, feed_forward_norm_cache = {};
  };
  Tensor forward(const TokenBatch& tokens);  // [batch, len, d]

  Parameter embedding_;  // [kTaskVocabulary, d]
  PositionalEncoding positions_;
  std::vector<Layer> layers_;
};

}  // namespace plainformer
