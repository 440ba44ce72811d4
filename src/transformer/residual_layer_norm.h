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
    LayerNormCache norm;  // of x + Dropout(Sublayer(x))
  };
  struct InputGradients {
    Tensor x, sublayer_output;
  };

  // gain is 1 and bias 0.    site: which stream of dropout draws is this one's
  ResidualLayerNorm(Index d_model, Real epsilon, int site);

  // x and sublayer_output [batch, len, d_model] -> [batch, len, d_model]. Move sublayer_output in: it is
  // reused.
  Tensor forward(const Tensor& x, Tensor sublayer_output, const DropoutState& dropout, Cache& cache) const;

  // Adds to gain.grad and bias.grad.    grad_output [batch, len, d_model]
  InputGradients backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter gain, bias;  // [d_model]

 private:
  Real epsilon_;
  int site_;
};

}  // namespace plainformer
