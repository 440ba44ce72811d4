#include "ops/dropout_add_norm.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/dropout.h"
#include "ops/rows.h"

namespace plainformer {

Tensor dropout_add_norm_forward(const Tensor& x, Tensor z, const Parameter& gain, const Parameter& bias,
                                Real epsilon, DropoutAddNormCache& cache) {
  const Index rows = row_count(x), d = x.dim(-1);
  CHECK(z.shape() == x.shape(), z.shape().to_string(), " for ", x.shape().to_string());
  CHECK_SHAPE(gain.value, d);
  CHECK_SHAPE(bias.value, d);
  const DropoutRule rule(cache.probability, cache.key, x.size());
  Tensor y(x.shape());
  cache.norm.mean = Tensor({rows});
  cache.norm.rstd = Tensor({rows});
  Real *y_data = y.mutable_data(), *sum = z.mutable_data();
  Real *mean = cache.norm.mean.mutable_data(), *rstd = cache.norm.rstd.mutable_data();
  parallel_for(rows, row_grain(d), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      Real* sum_row = sum + row * d;
      rule.apply(row * d, d, sum_row, sum_row);
      kernels().add(d, x.data() + row * d, sum_row);
      kernels().layer_norm(d, sum_row, gain.value.data(), bias.value.data(), epsilon, y_data + row * d,
                           mean + row, rstd + row);
    }
  });
  cache.norm.x = std::move(z);
  return y;
}

DropoutAddNormGradients dropout_add_norm_backward(const Tensor& grad_y, const DropoutAddNormCache& cache,
                                                  Parameter& gain, Parameter& bias) {
  const LayerNormCache& norm = cache.norm;
  const Index rows = row_count(norm.x), d = norm.x.dim(-1);
  CHECK_SHAPE(gain.value, d);
  layer_norm_backward_parameters(grad_y, norm, gain, bias);
  if (cache.probability == 0) {  // both inputs have the same gradient
    Tensor grad_sum = layer_norm_backward_input(grad_y, norm, gain);
    return {grad_sum, grad_sum};
  }
  const DropoutRule rule(cache.probability, cache.key, norm.x.size());
  DropoutAddNormGradients grad = {Tensor(norm.x.shape()), Tensor(norm.x.shape())};
  Real *grad_x = grad.x.mutable_data(), *grad_z = grad.z.mutable_data();
  parallel_for(rows, row_grain(d), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      kernels().layer_norm_backward(d, grad_y.data() + row * d, norm.x.data() + row * d, gain.value.data(),
                                    norm.mean.data()[row], norm.rstd.data()[row], grad_x + row * d);
      rule.apply(row * d, d, grad_x + row * d, grad_z + row * d);
    }
  });
  return grad;
}

}  // namespace plainformer
