// Paper: 3.1 Encoder and Decoder Stacks (the residual connections) and 5.4 Regularization (residual dropout)
//
//   output = LayerNorm(x + Dropout(Sublayer(x)))
//
// Post-norm, as the paper writes it.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "core/real.h"
#include "ops/layer_norm.h"

namespace plainformer {

// A forward pass draws its dropout masks from this state, and its backward pass draws the same ones again.
struct DropoutState {
  static constexpr Index kMostBatches = 1 << 16;  // of a step

  Real probability = 0;  // P_drop; 0 at inference
  std::uint64_t seed = 0;
  // Each batch of each attempt at a training step has its own masks.
  Index attempt = 0;  // steps begun before this one, skipped ones included
  Index batch = 0;    // the batch within the step, less than kMostBatches

  // The stream of one site in the model. Each site has its own number.
  RandomStream stream(int site) const {
    const std::uint64_t step =
        static_cast<std::uint64_t>(attempt) * kMostBatches + static_cast<std::uint64_t>(batch);
    return random_stream(seed, step, static_cast<std::uint64_t>(site));
  }
};

class ResidualLayerNorm {
 public:
  struct Cache {
    DropoutState dropout;
    LayerNormCache norm;  // of x + Dropout(Sublayer(x))
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
