// Beyond the paper: recomputation (Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost").
//
// The forward pass keeps only each layer's input. The backward pass repeats each layer's forward pass from there, just
// before it needs what that leaves. It takes less memory, more time, and gives the same bits.
#pragma once

#include "transformer/transformer.h"
#include "transformer/translation_batch.h"

namespace plainformer {

// The passes of Transformer::forward and Transformer::backward, with recomputation.
class RecomputingPasses {
 public:
  // Keeps a reference to the model.
  explicit RecomputingPasses(Transformer& model) : model_(model) {}

  // -> decoder_output [batch, target_len, d_model]
  Tensor forward(const TranslationBatch& batch, const DropoutState& dropout);

  // The backward pass of the latest forward pass. Adds to the gradients of all parameters.
  //   grad_decoder_output [batch, target_len, d_model]
  void backward(const Tensor& grad_decoder_output);

  // The latest forward pass. In each layer it holds the input alone, as that of the self-attention; in the decoder
  // also the memory, as the key of the encoder-decoder attention.
  const Transformer::Cache& cache() const { return cache_; }

 private:
  Transformer& model_;
  AttentionMask source_mask_, target_mask_;
  DropoutState dropout_;
  Transformer::Cache cache_;
};

}  // namespace plainformer
