#include "beyond/convolution_layer.h"

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/linear.h"

namespace plainformer {

ConvolutionLayer::ConvolutionLayer(Index d, Index kernel, Index dilation)
    : w(Tensor::zeros({kernel * d, d})), b(Tensor::zeros({d})), kernel_(kernel), dilation_(dilation) {
  CHECK(kernel >= 1 && dilation >= 1, "kernel ", kernel, ", dilation ", dilation);
}

Tensor ConvolutionLayer::forward(const Tensor& x, Cache& cache) const {
  const Index batch = x.dim(0), len = x.dim(1), d = b.value.dim(0);
  CHECK_SHAPE(x, batch, len, d);

  // Step 1. Gather: window_t = (x_t, x_{t - dilation}, ...), with zeros before the sequence begins.
  WritableTensor windows = Tensor::zeros({batch, len, kernel_ * d});
  for (Index element = 0; element < batch; ++element)
    for (Index s = 0; s < kernel_; ++s)
      for (Index t = s * dilation_; t < len; ++t)
        for (Index j = 0; j < d; ++j) windows(element, t, s * d + j) = x(element, t - s * dilation_, j);

  cache.windows = windows;

  // Step 2. Multiply: y_t = window_t W + b.
  return linear_bias_forward(cache.windows, w, b);  // [batch, len, d]
}

Tensor ConvolutionLayer::backward(const Tensor& grad_output, const Cache& cache) {
  const Index batch = cache.windows.dim(0), len = cache.windows.dim(1), d = b.value.dim(0);
  CHECK_SHAPE(grad_output, batch, len, d);

  // Step 2 was: y_t = window_t W + b.
  const Tensor grad_window = linear_bias_backward(grad_output, cache.windows, w, b);

  // Step 1 was: window_t = (x_t, x_{t - dilation}, ...). Each position stood in up to k windows.
  WritableTensor grad_x = Tensor::zeros({batch, len, d});
  for (Index element = 0; element < batch; ++element)
    for (Index s = 0; s < kernel_; ++s)
      for (Index t = s * dilation_; t < len; ++t)
        for (Index j = 0; j < d; ++j)
          grad_x(element, t - s * dilation_, j) += grad_window(element, t, s * d + j);
  return grad_x;
}

void ConvolutionLayer::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w", &w});
  list.push_back({prefix + ".b", &b});
}

}  // namespace plainformer
