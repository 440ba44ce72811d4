#include "ops/layer_norm.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"

namespace plainformer::fast {

Tensor layer_norm_forward(const Tensor& x, const Parameter& gain, const Parameter& bias, Real epsilon,
                          LayerNormCache& cache) {
  const Index rows = row_count(x), d = x.dim(-1);
  Tensor y(x.shape());
  cache = {.x = x, .mean = Tensor({rows}), .rstd = Tensor({rows})};
  Real* y_data = y.mutable_data();
  Real* mean = cache.mean.mutable_data();
  Real* rstd = cache.rstd.mutable_data();
  parallel_for(rows, row_grain(d), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      kernels().layer_norm(d, x.data() + row * d, gain.value.data(), bias.value.data(), epsilon,
                           y_data + row * d, mean + row, rstd + row);
    }
  });
  return y;
}

Tensor layer_norm_backward(const Tensor& grad_y, const LayerNormCache& cache, Parameter& gain,
                           Parameter& bias) {
  const Index rows = row_count(cache.x), d = cache.x.dim(-1);
  const Real *x = cache.x.data(), *mean = cache.mean.data(), *rstd = cache.rstd.data();
  // Gain and bias served every row, so their gradients gather over all rows. A thread owns some of the
  // columns.
  Real* grad_gain = gain.mutable_grad().mutable_data();
  Real* grad_bias = bias.mutable_grad().mutable_data();
  parallel_for(d, std::max<Index>(64, row_grain(rows)), [&](Index begin, Index end) {
    kernels().layer_norm_backward_parameters(rows, end - begin, grad_y.data() + begin, x + begin, d, mean,
                                             rstd, grad_gain + begin, grad_bias + begin);
  });

  Tensor grad_x(grad_y.shape());
  Real* grad_x_data = grad_x.mutable_data();
  parallel_for(rows, row_grain(d), [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row)
      kernels().layer_norm_backward(d, grad_y.data() + row * d, x + row * d, gain.value.data(), mean[row],
                                    rstd[row], grad_x_data + row * d);
  });
  return grad_x;
}

}  // namespace plainformer::fast
