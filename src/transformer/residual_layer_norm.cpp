#include "transformer/residual_layer_norm.h"

namespace plainformer {

ResidualLayerNorm::ResidualLayerNorm(Index d_model, Real epsilon, int place)
    : gain(Tensor::filled({d_model}, 1)), bias(Tensor::zeros({d_model})), epsilon_(epsilon), place_(place) {}

Tensor ResidualLayerNorm::forward(const Tensor& x, Tensor sublayer_output, const DropoutState& dropout,
                                  Cache& cache) const {
  const Index batch = x.dim(0), len = x.dim(1), d_model = gain.value.dim(0);
  CHECK_SHAPE(x, batch, len, d_model);
  CHECK_SHAPE(sublayer_output, batch, len, d_model);
  cache.probability = dropout.probability;
  cache.key = dropout.key(place_);

  // Step 1. Drop, add, normalize: output = LayerNorm(x + Dropout(Sublayer(x))).
  return dropout_add_norm_forward(x, std::move(sublayer_output), gain, bias, epsilon_, cache);
}

ResidualLayerNorm::InputGradients ResidualLayerNorm::backward(const Tensor& grad_output, const Cache& cache) {
  // Step 1 was: output = LayerNorm(x + Dropout(Sublayer(x))).
  auto [grad_x, grad_sublayer_output] = dropout_add_norm_backward(grad_output, cache, gain, bias);
  return {.x = std::move(grad_x), .sublayer_output = std::move(grad_sublayer_output)};
}

void ResidualLayerNorm::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".gain", &gain});
  list.push_back({prefix + ".bias", &bias});
}

}  // namespace plainformer
