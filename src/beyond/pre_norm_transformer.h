// Beyond the paper: pre-norm (Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture").
//
//   output = x + Dropout(Sublayer(LayerNorm(x)))
//
// The paper's model is post-norm: LayerNorm(x + Dropout(Sublayer(x))). Here x goes through a stack by additions alone, and
// so does its gradient. Nothing normalizes the last sum, so each stack ends with one more norm.
// Dropout is the paper's (5.4): of sub-layers' outputs and of inputs, not of attention weights.
#pragma once

#include "transformer/transformer.h"

namespace plainformer {

class PreNormTransformer {
 public:
  struct Cache {
    Transformer::InputCache source_input, target_input;
    Encoder::Cache encoder;  // each norm's cache holds the norm of its sub-layer's input
    Decoder::Cache decoder;
    LayerNormCache encoder_norm, decoder_norm;
  };

  // The weights are those of the paper's model for the same seed. Throws std::runtime_error if the configuration is invalid.
  PreNormTransformer(const ModelConfig& config, std::uint64_t seed);

  // Transformer::forward has this contract, too.
  //   source [batch, source_len], target_input [batch, target_len] -> decoder_output [batch, target_len, d_model]
  Tensor forward(const TokenBatch& source, const TokenBatch& target_input, const DropoutState& dropout,
                 Cache& cache) const;

  // Adds to the gradients of all parameters.    grad_decoder_output [batch, target_len, d_model]
  void backward(const Tensor& grad_decoder_output, const Cache& cache);

  // The two steps of forward at inference: without dropout, and nothing is kept.    source_lengths [batch]
  Tensor encode(const TokenBatch& source) const;  // [batch, source_len, d_model]
  Tensor decode(const TokenBatch& target_input, const Tensor& memory,
                const std::vector<Index>& source_lengths) const;  // [batch, target_len, d_model]

  // All parameters, in a fixed order. Valid until this object is moved.
  ParameterList parameters();

  Transformer layers;  // embedding, positions, sub-layers and their norms, in the paper's order of the names
  Parameter encoder_gain, encoder_bias, decoder_gain,
      decoder_bias;  // [d_model]: of the norms after the stacks
};

}  // namespace plainformer
