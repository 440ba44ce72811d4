// Section 7, Conclusion (docs/7-conclusion.md)
//
// The layer of a later language model: with the norm before the sub-layer, RMS norm, grouped queries, and a
// gate in the network.
//
//   cmake --preset toy && cmake --build build/toy --target since_then && build/toy/examples/since_then
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/elementwise.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/rows.h>
#include <plainformer/transformer/multi_head_attention.h>
#include <plainformer/transformer/transformer.h>

#include <cmath>
#include <cstdio>

using namespace plainformer;

// RMS norm (Zhang & Sennrich 2019): y = gain x r, r = 1 / sqrt(mean(x x) + epsilon). No mean is subtracted.
Real inverse_rms(const Tensor& x, Index row) {
  Real mean = 0;
  for (Index j = 0; j < row_length(x); ++j) mean += x(row, j) * x(row, j) / static_cast<Real>(row_length(x));
  return 1 / std::sqrt(mean + Real(1e-6));
}

Tensor rms_norm_forward(const Tensor& x, const Parameter& gain) {
  WritableTensor y(x.shape());
  for (Index row = 0; row < row_count(x); ++row) {
    const Real r = inverse_rms(x, row);
    for (Index j = 0; j < row_length(x); ++j) y(row, j) = gain.value(j) * x(row, j) * r;
  }
  return y;
}

// x_j also changes r, by -r^3 x_j / d. So with g = grad_y gain: grad_x = r (g - x r mean(g x r)).
Tensor rms_norm_backward(const Tensor& grad_y, const Tensor& x, Parameter& gain) {
  WritableTensor grad_x(x.shape());
  const TensorWriter grad_gain(gain.mutable_grad());
  const Index d = row_length(x);
  for (Index row = 0; row < row_count(x); ++row) {
    const Real r = inverse_rms(x, row);
    Real mean = 0;
    for (Index j = 0; j < d; ++j) {
      grad_gain(j) += grad_y(row, j) * x(row, j) * r;
      mean += grad_y(row, j) * gain.value(j) * x(row, j) * r / static_cast<Real>(d);
    }
    for (Index j = 0; j < d; ++j)
      grad_x(row, j) = r * (grad_y(row, j) * gain.value(j) - x(row, j) * r * mean);
  }
  return grad_x;
}

// Grouped queries (Ainslie et al. 2023): `share` heads use one key and value.
Tensor repeat_groups(const Tensor& x, Index d_k, Index share) {  // [..., groups * d_k] -> [..., heads * d_k]
  WritableTensor y(with_last(x.shape(), row_length(x) * share));
  for (Index row = 0; row < row_count(y); ++row)
    for (Index j = 0; j < row_length(y); ++j) y(row, j) = x(row, j / d_k / share * d_k + j % d_k);
  return y;
}

Tensor repeat_groups_backward(const Tensor& grad_y, Index d_k, Index share) {
  WritableTensor grad_x = Tensor::zeros(with_last(grad_y.shape(), row_length(grad_y) / share));
  for (Index row = 0; row < row_count(grad_y); ++row)
    for (Index j = 0; j < row_length(grad_y); ++j)
      grad_x(row, j / d_k / share * d_k + j % d_k) += grad_y(row, j);
  return grad_x;
}

const Index kModel = 8, kHeads = 4, kWidth = kModel / kHeads;  // kWidth: d_k and d_v
const Index kGroups = 2, kShare = kHeads / kGroups, kNarrow = kGroups * kWidth;
const Index kInner = 12;  // the width of the network

// output = x + Attention(n) W^O with n = RMSNorm(x). Each word sees itself and those before it.
struct AttentionSubLayer {
  Parameter gain{Tensor::filled({kModel}, 1)};
  Parameter w_q{Tensor::zeros({kModel, kModel})}, w_o{Tensor::zeros({kModel, kModel})};
  Parameter w_k{Tensor::zeros({kModel, kNarrow})}, w_v{Tensor::zeros({kModel, kNarrow})};
  Tensor x, n, concat;  // kept for backward, like the cache
  AttentionCache cache;

  Tensor forward(const Tensor& input) {
    x = input;
    n = rms_norm_forward(x, gain);
    const Tensor q = split_heads(linear_forward(n, w_q), kHeads);
    const Tensor k = split_heads(repeat_groups(linear_forward(n, w_k), kWidth, kShare), kHeads);
    const Tensor v = split_heads(repeat_groups(linear_forward(n, w_v), kWidth, kShare), kHeads);
    const AttentionMask mask = {std::vector<Index>(x.dim(0), x.dim(1)), /*causal=*/true};
    concat = concatenate_heads(attention_forward(q, k, v, mask, cache));
    return add(linear_forward(concat, w_o), x);
  }

  Tensor backward(const Tensor& grad_output) {
    const Tensor grad_heads = split_heads(linear_backward(grad_output, concat, w_o), kHeads);
    const auto grad = attention_backward(grad_heads, cache);
    const Tensor grad_k = repeat_groups_backward(concatenate_heads(grad.k), kWidth, kShare);
    const Tensor grad_v = repeat_groups_backward(concatenate_heads(grad.v), kWidth, kShare);
    Tensor grad_n = linear_backward(concatenate_heads(grad.q), n, w_q);
    grad_n = add(add(std::move(grad_n), linear_backward(grad_k, n, w_k)), linear_backward(grad_v, n, w_v));
    return add(rms_norm_backward(grad_n, x, gain), grad_output);  // x goes around the norm, too
  }
};

Real sigmoid(Real u) {
  return 1 / (1 + std::exp(-u));
}

// SwiGLU (Shazeer 2020): output = (silu(u) * v) W_2 with u = x W_1, v = x W_3, and silu(u) = u sigmoid(u).
struct GatedNetwork {
  Parameter w_1{Tensor::zeros({kModel, kInner})}, w_3{w_1.value}, w_2{Tensor::zeros({kInner, kModel})};
  Tensor x, u, v, hidden;  // kept for backward

  Tensor forward(const Tensor& input) {
    x = input;
    u = linear_forward(x, w_1);
    v = linear_forward(x, w_3);
    WritableTensor gated(u.shape());
    for (Index i = 0; i < u.size(); ++i) gated(i) = u(i) * sigmoid(u(i)) * v(i);
    hidden = gated;
    return linear_forward(hidden, w_2);
  }

  Tensor backward(const Tensor& grad_output) {
    const Tensor grad_hidden = linear_backward(grad_output, hidden, w_2);
    WritableTensor grad_u(u.shape()), grad_v(u.shape());
    for (Index i = 0; i < u.size(); ++i) {
      const Real s = sigmoid(u(i));  // its slope is s (1 - s)
      grad_v(i) = grad_hidden(i) * u(i) * s;
      grad_u(i) = grad_hidden(i) * v(i) * (s + u(i) * s * (1 - s));
    }
    return add(linear_backward(grad_u, x, w_1), linear_backward(grad_v, x, w_3));
  }
};

Tensor waves(double first) {
  WritableTensor x({1, 3, kModel});
  for (Index i = 0; i < x.size(); ++i) x(i) = static_cast<Real>(2 * std::sin(first + 5.0 * double(i)));
  return x;
}

void check_every_gradient(auto& layer, ParameterList parameters) {
  Parameter x(waves(1));
  const Tensor cotangent = waves(2);
  parameters.insert(parameters.begin(), {"x", &x});
  initialize(parameters, /*seed=*/1);
  x.value = waves(1);
  layer.forward(x.value);
  x.grad = layer.backward(cotangent);
  const auto loss = [&] { return dot(cotangent, layer.forward(x.value)); };
  for (const CheckedTensor& input : checked_tensors(parameters))
    std::printf("  %-6s%4td elements    %s\n", input.name.c_str(), input.value->size(),
                gradient_errors(loss, {input}).empty() ? "agree" : "differ");
}

void two_norms() {
  const Tensor x = Tensor::from({1, 4}, {1, 5, 1, 5}),
               y = rms_norm_forward(x, Parameter(Tensor::filled({4}, 1)));
  std::printf("\n\nRMS NORM    of (1, 5, 1, 5): %.2f %.2f %.2f %.2f. Layer norm gives -1 1 -1 1.\n", y(0),
              y(1), y(2), y(3));
}

int main() {
  AttentionSubLayer attention;
  GatedNetwork network;
  std::puts("EVERY GRADIENT    beside differences of the loss\n");
  check_every_gradient(attention, {{"gain", &attention.gain},
                                   {"w_q", &attention.w_q},
                                   {"w_k", &attention.w_k},
                                   {"w_v", &attention.w_v},
                                   {"w_o", &attention.w_o}});
  std::puts("");
  check_every_gradient(network, {{"w_1", &network.w_1}, {"w_3", &network.w_3}, {"w_2", &network.w_2}});
  two_norms();
}
