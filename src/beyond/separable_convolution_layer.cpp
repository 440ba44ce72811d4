#include "beyond/separable_convolution_layer.h"

#include <cstdint>

#include "core/check.h"
#include "core/multiply_adds.h"
#include "core/operation_calls.h"
#include "core/writable_tensor.h"
#include "ops/linear.h"

namespace plainformer {

namespace {

// The products of x and w_depthwise: one for each channel of each position and each s <= t.
std::int64_t depthwise_products(const Tensor& x, const Parameter& w) {
  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2), kernel = w.value.dim(0);
  std::int64_t pairs = 0;
  for (Index s = 0; s < kernel && s < len; ++s) pairs += len - s;
  return std::int64_t{batch} * d * pairs;
}

}  // namespace

SeparableConvolutionLayer::SeparableConvolutionLayer(Index d, Index kernel)
    : w_depthwise(Tensor::zeros({kernel, d})), w_pointwise(Tensor::zeros({d, d})), b(Tensor::zeros({d})) {
  CHECK(kernel >= 1, "kernel ", kernel);
}

Tensor SeparableConvolutionLayer::forward(const Tensor& x, Cache& cache) const {
  const Index batch = x.dim(0), len = x.dim(1), d = b.value.dim(0), kernel = w_depthwise.value.dim(0);
  CHECK_SHAPE(x, batch, len, d);
  cache.x = x;
  count_operation_call();
  count_multiply_adds(depthwise_products(x, w_depthwise));

  // Step 1. Depthwise: z_t = the sum over s of x_{t - s} * w_s, channel by channel.
  const Tensor& w = w_depthwise.value;
  WritableTensor z = Tensor::zeros({batch, len, d});
  for (Index element = 0; element < batch; ++element)
    for (Index t = 0; t < len; ++t)
      for (Index s = 0; s < kernel && s <= t; ++s)
        for (Index j = 0; j < d; ++j) z(element, t, j) += x(element, t - s, j) * w(s, j);

  cache.depthwise = z;

  // Step 2. Pointwise: y_t = z_t W + b.
  return linear_bias_forward(cache.depthwise, w_pointwise, b);
}

Tensor SeparableConvolutionLayer::backward(const Tensor& grad_output, const Cache& cache) {
  const Tensor& x = cache.x;
  const Index batch = x.dim(0), len = x.dim(1), d = b.value.dim(0), kernel = w_depthwise.value.dim(0);
  CHECK_SHAPE(grad_output, batch, len, d);
  count_operation_call();
  count_multiply_adds(2 * depthwise_products(x, w_depthwise));

  // Step 2 was: y_t = z_t W + b.
  const Tensor grad_z = linear_bias_backward(grad_output, cache.depthwise, w_pointwise, b);

  // Step 1 was: z_t = the sum over s of x_{t - s} * w_s, channel by channel. Both factors get a gradient.
  const Tensor& w = w_depthwise.value;
  WritableTensor grad_x = Tensor::zeros({batch, len, d});
  const TensorWriter grad_w(w_depthwise.mutable_grad());
  for (Index element = 0; element < batch; ++element)
    for (Index t = 0; t < len; ++t)
      for (Index s = 0; s < kernel && s <= t; ++s)
        for (Index j = 0; j < d; ++j) {
          grad_x(element, t - s, j) += grad_z(element, t, j) * w(s, j);
          grad_w(s, j) += grad_z(element, t, j) * x(element, t - s, j);
        }
  return grad_x;
}

void SeparableConvolutionLayer::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w_depthwise", &w_depthwise});
  list.push_back({prefix + ".w_pointwise", &w_pointwise});
  list.push_back({prefix + ".b", &b});
}

}  // namespace plainformer
