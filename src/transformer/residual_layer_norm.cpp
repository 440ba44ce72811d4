#include "transformer/residual_layer_norm.h"

#include "core/check.h"
#include "ops/elementwise.h"

namespace plainformer {

ResidualLayerNorm::ResidualLayerNorm(Index d_model, Real epsilon, int site)
    : gain(Tensor::filled({d_model}, 1)), bias(Tensor::zeros({d_model})), epsilon_(epsilon), site_(site) {}

Tensor ResidualLayerNorm::forward(const Tensor& x, Tensor sublayer_output, const DropoutState& dropout,
                                  Cache& cache) const {
  const Index batch = x.dim(0), len = x.dim(1), d_model = gain.value.dim(0);
  CHECK_SHAPE(x, batch, len, d_model);
  CHECK_SHAPE(sublayer_output, batch, len, d_model);
  cache.dropout = dropout;

  // Step 1. Drop: dropped = Dropout(Sublayer(x)).
  Tensor dropped = dropout_forward(std::move(sublayer_output), dropout.probability, dropout.stream(site_));

  // Step 2. Add: sum = x + dropped.
  const Tensor sum = add(std::move(dropped), x);

  // Step 3. Normalize: output = LayerNorm(sum).
  return layer_norm_forward(sum, gain, bias, epsilon_, cache.norm);
}

Tensor ResidualLayerNorm::forward(const Tensor& x, Tensor sublayer_output) const {
  Cache not_kept;
  return forward(x, std::move(sublayer_output), DropoutState{}, not_kept);
}

ResidualLayerNorm::InputGradients ResidualLayerNorm::backward(const Tensor& grad_output, const Cache& cache) {
  // Step 3 was: output = LayerNorm(sum).
  const Tensor grad_sum = layer_norm_backward(grad_output, cache.norm, gain, bias);

  // Step 2 was: sum = x + dropped. Both get the gradient unchanged, x by the residual connection.
  const Tensor &grad_x = grad_sum, &grad_dropped = grad_sum;

  // Step 1 was: dropped = Dropout(Sublayer(x)).
  const DropoutState& dropout = cache.dropout;
  return {.x = grad_x,
          .sublayer_output = dropout_backward(grad_dropped, dropout.probability, dropout.stream(site_))};
}

void ResidualLayerNorm::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".gain", &gain});
  list.push_back({prefix + ".bias", &bias});
}

}  // namespace plainformer
