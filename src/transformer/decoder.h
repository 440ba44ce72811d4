// Paper: 3.1 Encoder and Decoder Stacks (Decoder), Figure 1 (right)
#pragma once

#include <vector>

#include "transformer/decoder_layer.h"

namespace plainformer {

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
