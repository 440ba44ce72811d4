#include "beyond/gated_recurrent_unit.h"

#include <cmath>

#include "beyond/one_position.h"
#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/elementwise.h"
#include "ops/linear.h"

namespace plainformer {

namespace {

Real sigmoid(Real x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

GatedRecurrentUnit::GatedRecurrentUnit(Index d_in, Index d)
    : w(Tensor::zeros({d_in, 3 * d})),
      b(Tensor::zeros({3 * d})),
      u_gates(Tensor::zeros({d, 2 * d})),
      u_n(Tensor::zeros({d, d})) {}

Tensor GatedRecurrentUnit::forward(const Tensor& x, Cache& cache) const {
  return forward_from(Tensor::zeros({x.dim(0), u_n.value.dim(0)}), x, cache);
}

Tensor GatedRecurrentUnit::backward(const Tensor& grad_output, const Cache& cache) {
  return backward_from(grad_output, cache).x;
}

Tensor GatedRecurrentUnit::forward_from(const Tensor& start, const Tensor& x, Cache& cache) const {
  const Index batch = x.dim(0), len = x.dim(1), d = u_n.value.dim(0);
  CHECK_SHAPE(start, batch, d);
  cache = {.x = x, .steps = std::vector<StepCache>(len)};

  // Step 1. The inputs' share, for all positions at once: input = x W + b.
  const Tensor input = input_forward(x);  // [batch, len, 3 d]

  // Step 2. One position after the other: h_t = step(input_t, h_{t-1}).
  Tensor output({batch, len, d});
  Tensor h = start;
  for (Index t = 0; t < len; ++t) {
    h = step_forward(take_position(input, t), h, cache.steps[t]);
    put_position(h, t, output);
  }
  return output;
}

GatedRecurrentUnit::Gradients GatedRecurrentUnit::backward_from(const Tensor& grad_output,
                                                                const Cache& cache) {
  const Index batch = cache.x.dim(0), len = cache.x.dim(1), d = u_n.value.dim(0);
  CHECK_SHAPE(grad_output, batch, len, d);

  // Step 2 was: h_t = step(input_t, h_{t-1}), for one t after the other. So h_t has a gradient from the output, and
  // one from h_{t+1}.
  Tensor grad_input({batch, len, 3 * d});
  Tensor grad_h = Tensor::zeros({batch, d});  // of h_t, from h_{t+1}
  for (Index t = len - 1; t >= 0; --t) {
    StepGradients grad = step_backward(add(std::move(grad_h), take_position(grad_output, t)), cache.steps[t]);
    put_position(grad.input, t, grad_input);
    grad_h = std::move(grad.h);
  }

  // Step 1 was: input = x W + b. What is left of grad_h belongs to the state before the first position.
  return {.x = input_backward(grad_input, cache.x), .start = grad_h};
}

Tensor GatedRecurrentUnit::input_forward(const Tensor& x) const {
  return linear_bias_forward(x, w, b);
}

Tensor GatedRecurrentUnit::input_backward(const Tensor& grad_input, const Tensor& x) {
  return linear_bias_backward(grad_input, x, w, b);
}

Tensor GatedRecurrentUnit::step_forward(const Tensor& input, const Tensor& h, StepCache& cache) const {
  const Index batch = h.dim(0), d = u_n.value.dim(0);
  CHECK_SHAPE(input, batch, 3 * d);
  CHECK_SHAPE(h, batch, d);
  WritableTensor z({batch, d}), r({batch, d}), reset_h({batch, d}), n({batch, d}), new_h({batch, d});

  // Step 1. The gates: z = sigmoid(input_z + h U_z), r = sigmoid(input_r + h U_r).
  const Tensor gates = linear_forward(h, u_gates);  // [batch, 2 d]
  for (Index i = 0; i < batch; ++i)
    for (Index j = 0; j < d; ++j) {
      z(i, j) = sigmoid(input(i, j) + gates(i, j));
      r(i, j) = sigmoid(input(i, d + j) + gates(i, d + j));
      reset_h(i, j) = r(i, j) * h(i, j);
    }

  // Step 2. The proposal: n = tanh(input_n + (r h) U_n). It waits for r.
  const Tensor proposal = linear_forward(reset_h, u_n);  // [batch, d]
  for (Index i = 0; i < batch; ++i)
    for (Index j = 0; j < d; ++j) n(i, j) = std::tanh(input(i, 2 * d + j) + proposal(i, j));

  // Step 3. Between the old state and the proposal: new_h = (1 - z) h + z n.
  for (Index i = 0; i < batch; ++i)
    for (Index j = 0; j < d; ++j) new_h(i, j) = (1 - z(i, j)) * h(i, j) + z(i, j) * n(i, j);

  cache = {.h = h, .z = z, .r = r, .reset_h = reset_h, .n = n};
  return new_h;
}

// The derivative of sigmoid is s (1 - s), that of tanh is 1 - tanh^2.
GatedRecurrentUnit::StepGradients GatedRecurrentUnit::step_backward(const Tensor& grad_new_h,
                                                                    const StepCache& cache) {
  const auto& [h, z, r, reset_h, n] = cache;
  const Index batch = h.dim(0), d = u_n.value.dim(0);
  CHECK_SHAPE(grad_new_h, batch, d);
  WritableTensor grad_input({batch, 3 * d}), grad_gates({batch, 2 * d}), grad_proposal({batch, d});
  WritableTensor grad_h({batch, d});

  // Step 3 was: new_h = (1 - z) h + z n. All three get a gradient; that of h is the first of three.
  for (Index i = 0; i < batch; ++i)
    for (Index j = 0; j < d; ++j) {
      grad_h(i, j) = grad_new_h(i, j) * (1 - z(i, j));
      const Real grad_z = grad_new_h(i, j) * (n(i, j) - h(i, j));
      const Real grad_n = grad_new_h(i, j) * z(i, j);
      grad_gates(i, j) = grad_input(i, j) = grad_z * z(i, j) * (1 - z(i, j));
      grad_proposal(i, j) = grad_input(i, 2 * d + j) = grad_n * (1 - n(i, j) * n(i, j));
    }

  // Step 2 was: n = tanh(input_n + (r h) U_n). r h is a product: each factor gets the other.
  const Tensor grad_reset_h = linear_backward(grad_proposal, reset_h, u_n);
  for (Index i = 0; i < batch; ++i)
    for (Index j = 0; j < d; ++j) {
      grad_h(i, j) += grad_reset_h(i, j) * r(i, j);
      const Real grad_r = grad_reset_h(i, j) * h(i, j);
      grad_gates(i, d + j) = grad_input(i, d + j) = grad_r * r(i, j) * (1 - r(i, j));
    }

  // Step 1 was: z = sigmoid(input_z + h U_z), r = sigmoid(input_r + h U_r).
  return {.input = grad_input, .h = add(linear_backward(grad_gates, h, u_gates), grad_h)};
}

void GatedRecurrentUnit::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w", &w});
  list.push_back({prefix + ".b", &b});
  list.push_back({prefix + ".u_gates", &u_gates});
  list.push_back({prefix + ".u_n", &u_n});
}

}  // namespace plainformer
