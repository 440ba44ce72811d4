// Chapter 0, What you need (docs/0-what-you-need.md)
//
// Gradients, from one number to matrices, and the check of each: rows in memory, a value that is used twice,
// a matrix product, softmax, and how small the step of a difference should be.
//
//   cmake --preset toy && cmake --build build/toy --target first_gradients &&
//   build/toy/examples/first_gradients
#include <plainformer/core/gradient_check.h>
#include <plainformer/ops/linear.h>
#include <plainformer/ops/softmax.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace plainformer;

void print(const std::string& name, const Tensor& x) {
  for (Index row = 0; row < x.dim(0); ++row) {
    std::printf("  %-10s", row == 0 ? name.c_str() : "");
    for (Index j = 0; j < x.dim(1); ++j) std::printf("%10.4f", x(row, j));
    std::puts("");
  }
}

void rows_in_memory() {
  std::puts("ROWS IN MEMORY    x has the shape [2, 3, 4]: two sentences of three words of four numbers\n");
  const Shape shape = {2, 3, 4};
  std::printf("  x(1, 2, 0) is element %td: ((1 * 3) + 2) * 4 + 0\n", shape.offset(1, 2, 0));
  std::printf("  x(5, 0)    is element %td: with two indices, the first counts all rows\n",
              shape.offset(5, 0));
  std::printf("  x(20)      is element %td\n", shape.offset(20));
}

// Stores each value as a Number, and so rounds it: volatile keeps a compiler from computing with more digits.
template <typename Number>
double loss_of(Number x) {
  const volatile Number u = x * x, v = 3 * x;
  const volatile Number loss = u * v;
  return loss;
}

void two_paths() {
  std::puts("\n\nTWO PATHS    u = x x, v = 3 x, loss = u v, at x = 2\n");
  const double x = 2, u = x * x, v = 3 * x;
  const double grad_u = v, grad_v = u;
  std::printf("  forward     u %.0f, v %.0f, loss %.0f\n", u, v, u * v);
  std::printf("  backward    grad_u = v = %.0f, grad_v = u = %.0f\n", grad_u, grad_v);
  std::printf("  by u        grad_u 2 x = %.0f\n", grad_u * 2 * x);
  std::printf("  by v        grad_v 3   = %.0f\n", grad_v * 3);
  std::printf("  together    grad_x     = %.0f, and by the formula loss = 3 x^3: 9 x^2 = %.0f\n",
              grad_u * 2 * x + grad_v * 3, 9 * x * x);
}

template <typename Number>
double difference(Number x, Number step, bool central) {
  const volatile Number right = x + step, left = central ? x - step : x;
  return (loss_of<Number>(right) - loss_of<Number>(left)) / (central ? 2.0 * step : step);
}

void how_large_a_step() {
  std::puts("\n\nHOW LARGE A STEP?    The error of the difference, where the gradient is 36\n");
  std::puts("      step    one-sided, double    central, double    central, float");
  for (const double step : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7})
    std::printf("  %8.0e%21.0e%19.0e%18.0e\n", step, std::abs(difference<double>(2, step, false) - 36),
                std::abs(difference<double>(2, step, true) - 36),
                std::abs(difference<float>(2, static_cast<float>(step), true) - 36));
}

void product() {
  std::puts(
      "\n\nA MATRIX PRODUCT    C = A B, where grad_C arrives:  grad_A = grad_C B^T,  grad_B = A^T grad_C\n");
  Tensor a = Tensor::from({2, 3}, {1, 2, 3, 4, 5, 6});
  Parameter b(Tensor::from({3, 2}, {1, 0, 2, 1, 0, 3}));
  const Tensor grad_c = Tensor::from({2, 2}, {1, 2, 3, -1});
  const Tensor c = linear_forward(a, b);
  const Tensor grad_a = linear_backward(grad_c, a, b);
  print("A", a);
  print("B", b.value);
  print("C", c);
  print("grad_C", grad_c);
  print("grad_A", grad_a);
  print("grad_B", b.grad);
  const auto loss = [&] { return dot(grad_c, linear_forward(a, b)); };
  std::printf("\n  grad_A(0, 1) by a difference: %.4f\n", central_difference(loss, a, 1));
  std::printf("  grad_B(2, 1) by a difference: %.4f\n", central_difference(loss, b.value, 5));
}

void softmax() {
  std::puts("\n\nSOFTMAX    y = softmax(x), and its Jacobian dy_j / dx_i = y_j ([i = j] - y_i)\n");
  Tensor x = Tensor::from({1, 3}, {0, std::log(Real(2)), std::log(Real(5))});
  const std::vector<Index> all = {3};
  const Tensor y = softmax_forward(x, all);
  print("x", x);
  print("y", y);
  for (Index j = 0; j < 3; ++j) {
    std::printf("  dy_%td/dx   ", j);
    for (Index i = 0; i < 3; ++i) std::printf("%10.4f", y(j) * ((i == j) - y(i)));
    std::puts("");
  }

  std::puts("\n  Does the gradient checker take the backward pass, and does it take zeros?\n");
  for (const Tensor& grad_y : {Tensor::from({1, 3}, {3, -1, 2}), Tensor::from({1, 3}, {1, 1, 1})}) {
    const Tensor grad_x = softmax_backward(grad_y, y, all), zeros = Tensor::zeros({1, 3});
    const auto loss = [&] { return dot(grad_y, softmax_forward(x, all)); };
    const auto answer = [&](const Tensor& gradient) {
      return gradient_errors(loss, {{"x", &x, gradient}}).empty() ? "yes" : "no";
    };
    print("grad_y", grad_y);
    print("grad_x", grad_x);
    std::printf("  backward   %9s\n  zeros      %9s\n\n", answer(grad_x), answer(zeros));
  }
  std::puts(
      "  The second loss is the sum of y, which is always 1. It tests nothing, so the checker refuses it.");
}

int main() {
  rows_in_memory();
  two_paths();
  how_large_a_step();
  product();
  softmax();
}
