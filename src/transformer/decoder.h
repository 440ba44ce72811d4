// Paper: 3.1 Encoder and Decoder Stacks (Decoder), Figure 1 (right)
//
//   y = LayerNorm(x + Dropout(MultiHead(x, x, x)))                  masked: no position sees a later one
//   z = LayerNorm(y + Dropout(MultiHead(y, memory, memory)))        memory: the encoder's output
//   output = LayerNorm(z + Dropout(FFN(z)))
//
// in each of the N identical layers.
#pragma once

#include <vector>

#include "transformer/config.h"
#include "transformer/feed_forward.h"
#include "transformer/multi_head_attention.h"
#include "transformer/residual_layer_norm.h"

namespace plainformer {

class DecoderLayer {
 public:
  struct Cache {
    MultiHeadAttention::Cache self_attention;
    ResidualLayerNorm::Cache self_attention_norm;
    MultiHeadAttention::Cache encoder_decoder_attention;
    ResidualLayerNorm::Cache encoder_decoder_attention_norm;
    FeedForward::Cache feed_forward;
    ResidualLayerNorm::Cache feed_forward_norm;
  };
  struct InputGradients {
    Tensor x;       // [batch, target_len, d_model]
    Tensor memory;  // [batch, source_len, d_model]
  };
  static constexpr int kDropoutSites = 3;

  // first_site: the first of this layer's kDropoutSites dropout sites
  DecoderLayer(const ModelConfig& config, int first_site);

  // x [batch, target_len, d_model], memory [batch, source_len, d_model] -> x's shape.
  //   target_mask   causal, and hides the target's padding
  //   source_mask   hides the source's padding
  Tensor forward(const Tensor& x, const Tensor& memory, const AttentionMask& target_mask,
                 const AttentionMask& source_mask, const DropoutState& dropout, Cache& cache) const;

  // Returns grad_x and grad_memory; adds to the gradients of all parameters. grad_output has x's shape.
  InputGradients backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  MultiHeadAttention self_attention;
  ResidualLayerNorm self_attention_norm;
  MultiHeadAttention encoder_decoder_attention;
  ResidualLayerNorm encoder_decoder_attention_norm;
  FeedForward feed_forward;
  ResidualLayerNorm feed_forward_norm;
};

class Decoder {
 public:
  struct Cache {
    std::vector<DecoderLayer::Cache> layers;
  };

  Decoder(const ModelConfig& config, int first_site);

  // The stack of N identical layers. Each attends to the same memory.
  //   x [batch, target_len, d_model], memory [batch, source_len, d_model] -> x's shape
  Tensor forward(const Tensor& x, const Tensor& memory, const AttentionMask& target_mask,
                 const AttentionMask& source_mask, const DropoutState& dropout, Cache& cache) const;

  // Without dropout, and without a cache: for inference, which has no backward pass.
  Tensor forward(const Tensor& x, const Tensor& memory, const AttentionMask& target_mask,
                 const AttentionMask& source_mask) const;

  // Returns grad_x and grad_memory; adds to the gradients of all parameters. grad_output has x's shape.
  DecoderLayer::InputGradients backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  std::vector<DecoderLayer> layers;
};

}  // namespace plainformer
