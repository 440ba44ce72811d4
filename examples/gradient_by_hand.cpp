// Section 3.1, the residual connection and layer norm (docs/3.1-encoder-and-decoder-stacks.md, "Backward")
//
// The gradients of one layer, output = LayerNorm(x + Sublayer(x)), in three ways: by hand with the formula of
// the chapter, by the library's backward pass, and numerically, element by element:
//
//   numeric = (loss(x + epsilon) - loss(x - epsilon)) / (2 epsilon)
//
// Then: how small should epsilon be?
//
//   cmake --preset toy
//   cmake --build build/toy --target gradient_by_hand && build/toy/examples/gradient_by_hand
#include <plainformer/core/gradient_check.h>
#include <plainformer/core/writable_tensor.h>
#include <plainformer/transformer/residual_layer_norm.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace plainformer;

const Index kModel = 4;             // d_model
const Shape kRow = {1, 1, kModel};  // one sentence of one word: every tensor is a row of four numbers

Tensor row(const auto& element) {
  Tensor x(kRow);
  TensorWriter elements(x);
  for (Index i = 0; i < kModel; ++i) elements(i) = static_cast<Real>(element(i));
  return x;
}

double sum_of(const auto& element) {
  double sum = 0;
  for (Index i = 0; i < kModel; ++i) sum += element(i);
  return sum;
}

void print(const std::string& name, const Tensor& x) {
  std::printf("  %-40s", name.c_str());
  for (Index i = 0; i < kModel; ++i) std::printf("%7.2f", x(i));
  std::printf("\n");
}

// Returns the gradients of x, Sublayer(x), gain and bias.
std::vector<Tensor> by_hand(const Tensor& x, const Tensor& sublayer, const Tensor& gain, const Tensor& bias,
                            const Tensor& grad_output) {
  std::puts("FORWARD    output = gain x_hat + bias, x_hat = (sum - mean) r, r = 1 / sqrt(variance + 1e-6)\n");
  const Tensor sum = row([&](Index i) { return x(i) + sublayer(i); });
  const double mean = sum_of([&](Index i) { return sum(i); }) / kModel;
  const double variance = sum_of([&](Index i) { return (sum(i) - mean) * (sum(i) - mean); }) / kModel;
  const double r = 1 / std::sqrt(variance + 1e-6);
  const Tensor x_hat = row([&](Index i) { return (sum(i) - mean) * r; });
  const Tensor output = row([&](Index i) { return gain(i) * x_hat(i) + bias(i); });
  print("x", x);
  print("Sublayer(x)", sublayer);
  print("sum = x + Sublayer(x)", sum);
  std::printf("  mean %.2f, variance %.2f, r %.2f\n", mean, variance, r);
  print("x_hat", x_hat);
  print("gain", gain);
  print("bias", bias);
  print("output", output);

  std::puts("\n\nBACKWARD    g = grad_output gain,  grad_sum = r (g - mean(g) - x_hat mean(g x_hat))\n");
  const Tensor g = row([&](Index i) { return grad_output(i) * gain(i); });
  const double mean_g = sum_of([&](Index i) { return g(i); }) / kModel;
  const double mean_gx = sum_of([&](Index i) { return g(i) * x_hat(i); }) / kModel;
  const Tensor grad_sum = row([&](Index i) { return r * (g(i) - mean_g - x_hat(i) * mean_gx); });
  const Tensor grad_gain = row([&](Index i) { return grad_output(i) * x_hat(i); });
  print("grad_bias = grad_output, which arrives", grad_output);
  print("grad_gain = grad_output x_hat", grad_gain);
  print("g", g);
  std::printf("  mean(g) %.2f, mean(g x_hat) %.2f\n", mean_g, mean_gx);
  print("grad_sum = grad_x = grad_Sublayer(x)", grad_sum);
  return {grad_sum, grad_sum, grad_gain, grad_output};
}

int main() {
  ResidualLayerNorm layer(kModel, /*epsilon=*/Real(1e-6), /*site=*/0);
  layer.gain.value = Tensor::from({kModel}, {2, 1, 2, 1});
  layer.bias.value = Tensor::from({kModel}, {1, 2, 0, 0.5});
  Tensor x = Tensor::from(kRow, {3, 2, 1, 4});
  Tensor sublayer = Tensor::from(kRow, {-2, 3, 0, 1});
  const Tensor grad_output = Tensor::from(kRow, {1, 3, -1, 5});
  const auto grad_by_hand = by_hand(x, sublayer, layer.gain.value, layer.bias.value, grad_output);

  ResidualLayerNorm::Cache cache;
  const auto loss = [&] {  // dot(grad_output, output), whose gradient at the output is grad_output
    const Tensor output = layer.forward(x, sublayer, DropoutState(), cache);
    return sum_of([&](Index i) { return grad_output(i) * output(i); });
  };
  loss();  // fills the cache
  const auto grad = layer.backward(grad_output, cache);

  const std::vector<CheckedTensor> inputs = {{"x", &x, grad.x},
                                              {"Sublayer(x)", &sublayer, grad.sublayer_output},
                                              {"gain", &layer.gain.value, layer.gain.grad},
                                              {"bias", &layer.bias.value, layer.bias.grad}};

  std::puts("\n\nELEMENT BY ELEMENT    with epsilon = 1/8, which is large enough to show an error\n");
  std::puts("                    by hand    library    numeric    difference");
  for (std::size_t k = 0; k < inputs.size(); ++k)
    for (Index i = 0; i < kModel; ++i) {
      const std::string name = inputs[k].name + "[" + std::to_string(i) + "]";
      const double library = inputs[k].analytic(i);
      const double numeric = central_difference(loss, *inputs[k].value, i, 0.125);
      std::printf("  %-14s%11.4f%11.4f%11.4f%14.4f\n", name.c_str(), grad_by_hand[k](i), library, numeric,
                  std::abs(numeric - library));
    }
  std::puts("\n  The loss is linear in gain and bias, so their differences are exact.");

  std::puts("\n\nHOW SMALL AN EPSILON?    Half the epsilon gives a quarter of the error:\n");
  std::puts("  epsilon   difference of x[0]");
  for (const double epsilon : {1.0, 0.5, 0.25, 0.125})
    std::printf("  %7.3f%21.4f\n", epsilon, std::abs(central_difference(loss, x, 0, epsilon) - grad.x(0)));
  std::puts("\n  But each loss is rounded, and that error is divided by epsilon. For a loss of 8:\n");
  std::puts("  epsilon     in float    in double");
  for (const double epsilon : {1e-2, 1e-6})
    std::printf("  %7.0e%13.1e%13.1e\n", epsilon, std::ldexp(8, -24) / epsilon, std::ldexp(8, -53) / epsilon);
  std::puts(
      "\n  So the library's gradient_errors takes 1e-2 in float, and 1e-6 in double, where it can be "
      "strict.");
  std::printf("  Here it finds %s.\n", gradient_errors(loss, inputs).empty() ? "no error" : "errors");
}
