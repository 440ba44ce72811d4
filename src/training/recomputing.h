// Beyond the paper: recomputation (Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost").
//
// The forward pass keeps only each layer's input. The backward pass runs each layer's forward pass again from
// its input, just before it goes back through that layer. This takes less memory and more time, and gives the
// same bits.
#pragma once

#include "transformer/transformer.h"

namespace plainformer {

// A Transformer that train() trains with recomputation.
class RecomputingTransformer {
 public:
  // forward fills little of it: the caches of both inputs; in each layer the input of the self-attention,
  // which is the layer's input; and in the decoder the key of the encoder-decoder attention, the memory.
  using Cache = Transformer::Cache;

  // Keeps a reference to the model.
  explicit RecomputingTransformer(Transformer& model) : embedding(model.embedding), model_(model) {}

  // -> decoder_output [batch, target_len, d_model]
  Tensor forward(const TokenBatch& source, const TokenBatch& target_input, const DropoutState& dropout,
                 Cache& cache) const;

  CrossEntropy loss_forward_backward(Real grad_loss, const Tensor& decoder_output,
                                     const TranslationBatch& batch, double smoothing,
                                     Tensor& grad_decoder_output) {
    return model_.loss_forward_backward(grad_loss, decoder_output, batch, smoothing, grad_decoder_output);
  }

  // Adds to the gradients of all parameters.    grad_decoder_output [batch, target_len, d_model]
  void backward(const Tensor& grad_decoder_output, const Cache& cache);

  ParameterList parameters() { return model_.parameters(); }

  Parameter& embedding;  // the model's

 private:
  Transformer& model_;
};

}  // namespace plainformer
