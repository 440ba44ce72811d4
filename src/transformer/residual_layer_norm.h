// Paper: 3.1 Encoder and Decoder Stacks (the residual connections) and 5.4 Regularization (residual dropout)
//
//   output = LayerNorm(x + Dropout(Sublayer(x)))
//
// Post-norm, as the paper writes it.
#pragma once

#include "ops/layer_norm.h"
#include "transformer/dropout_state.h"

namespace plainformer {

class ResidualLayerNorm {
 public:
  struct Cache {
    DropoutState dropout;
    LayerNormCache norm;  // the norm of x + Dropout(Sublayer(x))
  };
  struct InputGradients {
    Tensor x, sublayer_output;  // [batch, len, d_model]
  };

  // gain starts at 1, bias at 0.    site: the number of this dropout site
  ResidualLayerNorm(Index d_model, Real epsilon, int site);

  // x and sublayer_output [batch, len, d_model] -> [batch, len, d_model]
  // Move sublayer_output in: its memory is reused.
  Tensor forward(const Tensor& x, Tensor sublayer_output, const DropoutState& dropout, Cache& cache) const;

  // At inference: without dropout, and nothing is kept.
  Tensor forward(const Tensor& x, Tensor sublayer_output) const;

  // Returns the inputs' gradients; adds to gain.grad and bias.grad.    grad_output [batch, len, d_model]
  InputGradients backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  int site() const { return site_; }

  Parameter gain, bias;  // [d_model]

 private:
  Real epsilon_;
  int site_;
};

}  // namespace plainformer
