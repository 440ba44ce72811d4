#include "beyond/recurrent_layer.h"

#include <cmath>

#include "beyond/one_position.h"
#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/linear.h"

namespace plainformer {

namespace {

// h_t [batch, d] of all h [batch, len, d]; zeros for t = -1.
Tensor state_at(const Tensor& hidden, Index t) {
  return t < 0 ? Tensor::zeros({hidden.dim(0), hidden.dim(2)}) : take_position(hidden, t);
}

}  // namespace

RecurrentLayer::RecurrentLayer(Index d)
    : w_x(Tensor::zeros({d, d})), w_h(Tensor::zeros({d, d})), b(Tensor::zeros({d})) {}

Tensor RecurrentLayer::forward(const Tensor& x, Cache& cache) const {
  const Index batch = x.dim(0), len = x.dim(1), d = w_x.value.dim(0);
  CHECK_SHAPE(x, batch, len, d);

  // Step 1. The inputs' share, for all positions at once: input = x W_x + b.
  const Tensor input = linear_bias_forward(x, w_x, b);  // [batch, len, d]

  // Step 2. One position after the other: h_t = tanh(input_t + h_{t-1} W_h).
  Tensor hidden = Tensor::zeros({batch, len, d});
  for (Index t = 0; t < len; ++t) {
    const Tensor recurrent = linear_forward(state_at(hidden, t - 1), w_h);  // [batch, d]
    TensorWriter h(hidden);
    for (Index element = 0; element < batch; ++element)
      for (Index j = 0; j < d; ++j)
        h(element, t, j) = std::tanh(input(element, t, j) + recurrent(element, j));
  }
  cache.x = x;
  cache.hidden = hidden;
  return hidden;
}

Tensor RecurrentLayer::backward(const Tensor& grad_output, const Cache& cache) {
  const Tensor& hidden = cache.hidden;
  const Index batch = hidden.dim(0), len = hidden.dim(1), d = w_x.value.dim(0);
  CHECK_SHAPE(grad_output, batch, len, d);

  // Step 2 was: h_t = tanh(input_t + h_{t-1} W_h), for one t after the other. So h_t has a gradient from the
  // output, and one from h_{t+1}. The derivative of tanh is 1 - tanh^2.
  WritableTensor grad_input({batch, len, d});
  Tensor grad_h = Tensor::zeros({batch, d});  // of h_t, from h_{t+1}
  for (Index t = len - 1; t >= 0; --t) {
    WritableTensor grad_sum({batch, d});
    for (Index element = 0; element < batch; ++element)
      for (Index j = 0; j < d; ++j) {
        const Real h = hidden(element, t, j);
        grad_sum(element, j) = (grad_output(element, t, j) + grad_h(element, j)) * (1 - h * h);
        grad_input(element, t, j) = grad_sum(element, j);
      }
    grad_h = linear_backward(grad_sum, state_at(hidden, t - 1), w_h);
  }

  // Step 1 was: input = x W_x + b.
  return linear_bias_backward(grad_input, cache.x, w_x, b);
}

void RecurrentLayer::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w_x", &w_x});
  list.push_back({prefix + ".w_h", &w_h});
  list.push_back({prefix + ".b", &b});
}

}  // namespace plainformer
