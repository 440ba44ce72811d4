// Section 3.3, Position-wise Feed-Forward Networks (docs/3.3-position-wise-feed-forward-networks.md)
//
// A layer of your own: the feed-forward network with GELU (Hendrycks & Gimpel 2016) instead of ReLU,
//
//   FFN(x) = gelu(x W_1 + b_1) W_2 + b_2,   gelu(u) = u Phi(u),   Phi(u) = P(a standard normal number < u)
//
// It has the interface of FeedForward, so a copy of EncoderLayer can use it. The program checks the backward
// pass, and the check catches a mistake in it.
//
//   cmake --preset toy && cmake --build build/toy --target your_own_layer &&
//   build/toy/examples/your_own_layer
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/ops/linear.h>
#include <plainformer/transformer/transformer.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

using namespace plainformer;

struct Gelu {
  static Real Phi(Real u) { return (1 + std::erf(u / std::sqrt(Real(2)))) / 2; }
  static Real phi(Real u) { return std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi_v<Real>); }  // Phi'
  static Real value(Real u) { return u * Phi(u); }
  static Real slope(Real u) { return Phi(u) + u * phi(u); }  // the product rule
  static Real mistake(Real u) { return Phi(u); }             // without the second term
};

Tensor gelu_forward(Tensor u) {
  TensorWriter y(u);
  for (Index i = 0; i < u.size(); ++i) y(i) = Gelu::value(y(i));
  return u;
}

Tensor gelu_backward(Tensor grad_y, const Tensor& u, Real (*slope)(Real)) {
  TensorWriter grad_u(grad_y);
  for (Index i = 0; i < u.size(); ++i) grad_u(i) *= slope(u(i));
  return grad_y;
}

class GeluFeedForward {
 public:
  struct Cache {
    Tensor x;              // [batch, len, d_model]
    Tensor inner, hidden;  // [batch, len, d_ff]: x W_1 + b_1, and its gelu
  };

  GeluFeedForward(Index d_model, Index d_ff)
      : w_1(Tensor::zeros({d_model, d_ff})),
        b_1(Tensor::zeros({d_ff})),
        w_2(Tensor::zeros({d_ff, d_model})),
        b_2(Tensor::zeros({d_model})) {}

  Tensor forward(const Tensor& x, Cache& cache) const {
    cache.x = x;
    cache.inner = linear_bias_forward(x, w_1, b_1);      // Step 1. inner = x W_1 + b_1.
    cache.hidden = gelu_forward(cache.inner);            // Step 2. hidden = gelu(inner).
    return linear_bias_forward(cache.hidden, w_2, b_2);  // Step 3. output = hidden W_2 + b_2.
  }

  Tensor backward(const Tensor& grad_output, const Cache& cache) {
    const Tensor grad_hidden = linear_bias_backward(grad_output, cache.hidden, w_2, b_2);  // of step 3
    const Tensor grad_inner = gelu_backward(grad_hidden, cache.inner, slope);              // of step 2
    return linear_bias_backward(grad_inner, cache.x, w_1, b_1);                            // of step 1
  }

  void append_parameters(const std::string& prefix, ParameterList& list) {
    list.push_back({prefix + ".w_1", &w_1});
    list.push_back({prefix + ".b_1", &b_1});
    list.push_back({prefix + ".w_2", &w_2});
    list.push_back({prefix + ".b_2", &b_2});
  }

  Parameter w_1, b_1, w_2, b_2;
  Real (*slope)(Real) = Gelu::slope;  // main also tries the mistake
};

void gelu_beside_relu() {
  std::puts("GELU BESIDE RELU\n\n       u    relu     gelu    slope    mistaken slope");
  for (const Real u : {-3.0f, -2.0f, -1.0f, 0.0f, 1.0f, 2.0f, 3.0f})
    std::printf("  %6.1f%8.1f%9.4f%9.4f%18.4f\n", u, u > 0 ? u : 0, Gelu::value(u), Gelu::slope(u),
                Gelu::mistake(u));
}

int main() {
  gelu_beside_relu();

  GeluFeedForward layer(/*d_model=*/3, /*d_ff=*/5);
  ParameterList parameters;
  layer.append_parameters("feed_forward", parameters);
  initialize(parameters, /*seed=*/1);
  Parameter x(Tensor::from({1, 2, 3}, {1, -2, 3, -1, 2, 1}));
  parameters.insert(parameters.begin(), {"x", &x});

  const Tensor cotangent = Tensor::from({1, 2, 3}, {2, -1, 1, 3, 1, -2});
  GeluFeedForward::Cache cache;
  // Its gradient at the output is the cotangent.
  const auto loss = [&] { return dot(cotangent, layer.forward(x.value, cache)); };
  const auto gradients_with = [&](Real (*slope)(Real)) {
    layer.slope = slope;
    zero_gradients(parameters);
    loss();
    x.grad = layer.backward(cotangent, cache);
    return checked_tensors(parameters);
  };
  const auto agrees = [&](const auto& input) {
    return gradient_errors(loss, {input}).empty() ? "yes" : "no";
  };

  std::puts("\n\nTHE CHECK    Do the gradients agree with differences of the loss, in every element?\n");
  std::puts("                      elements    backward    with the mistake");
  const std::vector<CheckedTensor> right = gradients_with(Gelu::slope);
  const std::vector<CheckedTensor> wrong = gradients_with(Gelu::mistake);
  for (std::size_t k = right.size(); k-- > 0;)  // b_2 first: the order of the backward pass
    std::printf("  %-20s%10td%12s%20s\n", right[k].name.c_str(), right[k].value->size(), agrees(right[k]),
                agrees(wrong[k]));
  std::puts("\n  The backward pass goes from b_2 to x. So the mistake is between w_2 and b_1: in gelu.");

  std::puts("\n\nONE TENSOR\n\n            numeric    backward    with the mistake");
  for (Index i = 0; i < 5; ++i)
    std::printf("  b_1[%td]%12.3f%12.3f%20.3f\n", i, central_difference(loss, layer.b_1.value, i),
                right[2].analytic(i), wrong[2].analytic(i));
}
