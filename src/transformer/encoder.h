// Paper: 3.1 Encoder and Decoder Stacks (Encoder), Figure 1 (left)
#pragma once

#include <vector>

#include "transformer/encoder_layer.h"

namespace plainformer {

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
