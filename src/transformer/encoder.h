// Paper: 3.1 Encoder and Decoder Stacks (Encoder), Figure 1 (left)
//
//   y = LayerNorm(x + Dropout(MultiHead(x, x, x)))
//   output = LayerNorm(y + Dropout(FFN(y)))
//
// in each of the N identical layers.
#pragma once

#include <vector>

#include "transformer/config.h"
#include "transformer/feed_forward.h"
#include "transformer/multi_head_attention.h"
#include "transformer/residual_layer_norm.h"

namespace plainformer {

class EncoderLayer {
 public:
  struct Cache {
    MultiHeadAttention::Cache self_attention;
    ResidualLayerNorm::Cache self_attention_norm;
    FeedForward::Cache feed_forward;
    ResidualLayerNorm::Cache feed_forward_norm;
  };
  static constexpr int kDropoutSites = 2;

  // first_site: the first of this layer's kDropoutSites dropout sites
  EncoderLayer(const ModelConfig& config, int first_site);

  // x [batch, source_len, d_model] -> the same shape.    source_mask hides the source's padding
  Tensor forward(const Tensor& x, const AttentionMask& source_mask, const DropoutState& dropout,
                 Cache& cache) const;

  // Returns grad_x; adds to the gradients of all parameters.    grad_output [batch, source_len, d_model]
  Tensor backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  MultiHeadAttention self_attention;
  ResidualLayerNorm self_attention_norm;
  FeedForward feed_forward;
  ResidualLayerNorm feed_forward_norm;
};

class Encoder {
 public:
  struct Cache {
    std::vector<EncoderLayer::Cache> layers;
  };

  Encoder(const ModelConfig& config, int first_site);

  // The stack of N identical layers.    x [batch, source_len, d_model] -> memory, the same shape
  Tensor forward(const Tensor& x, const AttentionMask& source_mask, const DropoutState& dropout,
                 Cache& cache) const;

  // Without dropout, and without a cache: for inference, which has no backward pass.
  Tensor forward(const Tensor& x, const AttentionMask& source_mask) const;

  // Returns grad_x; adds to the gradients of all parameters.    grad_memory [batch, source_len, d_model]
  Tensor backward(const Tensor& grad_memory, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  std::vector<EncoderLayer> layers;
};

}  // namespace plainformer
