// Beyond the paper: the paper's model with batch normalization where it has layer normalization (3.1).
//
//   output = BatchNorm(x + Dropout(Sublayer(x)))
//
// In training, each norm takes its means over the tokens of the batch. So a position of the target reads numbers to which
// later positions contributed, whatever the mask. Inference takes the running moments, and each sentence by itself.
// Dropout is the paper's (5.4): of sub-layers' outputs and of inputs, not of attention weights.
#pragma once

#include <vector>

#include "beyond/batch_norm.h"
#include "transformer/transformer.h"

namespace plainformer {

class BatchNormTransformer {
 public:
  struct NormCache {
    DropoutState dropout;
    BatchNormCache norm;  // of x + Dropout(Sublayer(x))
  };
  struct LayerCache {
    MultiHeadAttention::Cache self_attention;
    NormCache self_attention_norm;
    MultiHeadAttention::Cache encoder_decoder_attention;  // of the decoder
    NormCache encoder_decoder_attention_norm;             // of the decoder
    FeedForward::Cache feed_forward;
    NormCache feed_forward_norm;
  };
  struct LayerMoments {
    RunningMoments self_attention_norm, encoder_decoder_attention_norm, feed_forward_norm;
  };
  struct Cache {
    Transformer::InputCache source_input, target_input;
    std::vector<LayerCache> encoder, decoder;
  };

  // The weights are those of the paper's model for the same seed. Throws std::runtime_error if the configuration is invalid.
  BatchNormTransformer(const ModelConfig& config, std::uint64_t seed);

  // A pass with the batch's own moments; Transformer::forward has this contract, too.
  //   source [batch, source_len], target_input [batch, target_len] -> decoder_output [batch, target_len, d_model]
  Tensor forward(const TokenBatch& source, const TokenBatch& target_input, const DropoutState& dropout,
                 Cache& cache) const;

  // Adds to the gradients of all parameters.    grad_decoder_output [batch, target_len, d_model]
  void backward(const Tensor& grad_decoder_output, const Cache& cache);

  // Moves the running moments towards those of a forward pass of training.
  void update_moments(const Cache& cache);

  // The two steps of forward at inference: with the running moments and without dropout.    source_lengths [batch]
  Tensor encode(const TokenBatch& source) const;  // [batch, source_len, d_model]
  Tensor decode(const TokenBatch& target_input, const Tensor& memory,
                const std::vector<Index>& source_lengths) const;  // [batch, target_len, d_model]

  // All parameters, in a fixed order. Valid until this object is moved.
  ParameterList parameters() { return layers.parameters(); }

  Transformer layers;  // embedding, positions, sub-layers, and the gains and biases of the norms
  std::vector<LayerMoments> encoder_moments, decoder_moments;  // a place for each layer
};

}  // namespace plainformer
