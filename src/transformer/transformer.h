// Paper: 3 Model Architecture, Figure 1
//
// One embedding matrix serves the source, the target and the output projection (3.4).
#pragma once

#include <cstdint>
#include <vector>

#include "core/parameter.h"
#include "ops/cross_entropy.h"
#include "transformer/config.h"
#include "transformer/decoder.h"
#include "transformer/embedding.h"
#include "transformer/encoder.h"
#include "transformer/positional_encoding.h"

namespace plainformer {

class Transformer {
 public:
  // The input of one stack: embeddings plus positions, then dropout ("to the sums of the embeddings and the
  // positional encodings in both the encoder and decoder stacks", 5.4).
  struct InputCache {
    TokenBatch tokens;
    DropoutState dropout;
  };
  struct Cache {
    InputCache source_input, target_input;
    Encoder::Cache encoder;
    Decoder::Cache decoder;
  };

  // Throws std::runtime_error if the configuration is invalid. The weights are those of `initialize`; without
  // a seed, the embeddings and matrices are zeros, which a caller replaces by loaded ones.
  Transformer(const ModelConfig& config, std::uint64_t seed);
  explicit Transformer(const ModelConfig& config);

  // Figure 1 up to its last two boxes: the linear transformation is output_projection_forward(decoder_output,
  // embedding), and the softmax of its logits is part of the loss or the search.
  //   source              [batch, source_len]: the sentence and </s>
  //   target_input        [batch, target_len]: <s> and the sentence ("shifted right")
  //   -> decoder_output   [batch, target_len, d_model]
  Tensor forward(const TokenBatch& source, const TokenBatch& target_input, const DropoutState& dropout,
                 Cache& cache) const;

  // Adds to the gradients of all parameters.    grad_decoder_output [batch, target_len, d_model]
  void backward(const Tensor& grad_decoder_output, const Cache& cache);

  // The last two boxes of Figure 1 and the loss: the cross-entropy of softmax(decoder_output embedding^T) and
  // the smoothed targets (5.4), and its backward pass. (ops/cross_entropy.h says why both are one function.)
  // Returns the sums over the batch, sets grad_decoder_output to the gradient of grad_loss times the loss,
  // and adds to embedding.grad.
  CrossEntropy loss_forward_backward(Real grad_loss, const Tensor& decoder_output,
                                     const TranslationBatch& batch, double smoothing,
                                     Tensor& grad_decoder_output);

  // Steps 1 and 2 of forward, and steps 3 and 4, for inference: without dropout, and without a cache for a
  // backward pass. Decoding computes the memory once for a sentence.    source_lengths [batch]
  Tensor encode(const TokenBatch& source) const;  // [batch, source_len, d_model]
  Tensor decode(const TokenBatch& target_input, const Tensor& memory,
                const std::vector<Index>& source_lengths) const;  // [batch, target_len, d_model]

  // The input of one stack: x = Dropout(Embedding(tokens) + PE).
  //   tokens [batch, len] -> [batch, len, d_model]; site: kSourceInput or kTargetInput
  Tensor input_forward(const TokenBatch& tokens, int site, const DropoutState& dropout,
                       InputCache& cache) const;
  void input_backward(Tensor grad_output, int site, const InputCache& cache);

  // All parameters under their public names, in a fixed order. Valid until this object is moved.
  ParameterList parameters();

  const ModelConfig& config() const { return config_; }

  Parameter embedding;  // [vocab, d_model]
  PositionalEncoding positions;
  Encoder encoder;
  Decoder decoder;

 private:
  ModelConfig config_;
};

// --- the initial weights, which the paper leaves open ---

// A table of vectors [rows, d_model] and the standard deviation of its normally distributed weights.
struct EmbeddingTable {
  const Parameter* table;
  double deviation;
};

// The tokens' vectors have the variance 1 / d_model, because they are multiplied by sqrt(d_model). Those of
// learned positions have the variance of sines, 1 / 2.
EmbeddingTable token_table(const Parameter& table);
EmbeddingTable position_table(const Parameter& table);

// Draws the initial weights from `seed`: those of the tables normally, and those of any other matrix [in,
// out] uniformly within 1 / sqrt(in). Vectors keep their values: gains 1, biases 0. Each parameter has
// its own stream of random numbers, so its weights depend only on the seed and its place in the list.
void initialize(const ParameterList& parameters, std::uint64_t seed,
                const std::vector<EmbeddingTable>& tables = {});

}  // namespace plainformer
