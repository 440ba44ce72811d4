#include "ops/linear.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(Linear, MultipliesRowsByTheMatrix) {
  const Tensor x = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
  const Parameter w(tensor({3, 2}, {1, 0, 0, 1, 10, 100}));
  // (1, 2, 3) W = (1 + 30, 2 + 300)
  EXPECT_TRUE(near(linear_forward(x, w), {2, 2}, {31, 302, 64, 605}));
}

TEST(Linear, AddsTheBiasToEveryRow) {
  const Tensor x = tensor({2, 1}, {1, 2});
  const Parameter w(tensor({1, 3}, {1, 10, 100})), b(tensor({3}, {0.5, 0.25, 0.125}));
  EXPECT_TRUE(near(linear_bias_forward(x, w, b), {2, 3}, {1.5, 10.25, 100.125, 2.5, 20.25, 200.125}));
}

TEST(Linear, RowsWithoutElementsGiveTheBias) {
  const Parameter w(Tensor::zeros({0, 5})), b(tensor({5}, {1, 2, 3, 4, 5}));
  const Tensor x({2, 3, 0});
  { const Tensor used = Tensor::filled({2, 3, 5}, 7); }  // its storage comes next
  EXPECT_TRUE(near(linear_forward(x, w), Tensor::zeros({2, 3, 5}), 0));
  const Tensor y = linear_bias_forward(x, w, b);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 5; ++k) EXPECT_EQ(y.at({i, j, k}), Real(k + 1));
}

TEST(Linear, BackwardOfRowsWithoutElements) {
  Parameter w(Tensor::zeros({0, 5})), b(Tensor::zeros({5}));
  EXPECT_EQ(linear_bias_backward(Tensor::filled({2, 3, 5}, 1), Tensor({2, 3, 0}), w, b).shape(),
            (Shape{2, 3, 0}));
  EXPECT_TRUE(near(b.grad, Tensor::filled({5}, 6), 0));
  Parameter narrow(Tensor::filled({5, 0}, 1));
  { const Tensor used = Tensor::filled({2, 3, 5}, 7); }
  EXPECT_TRUE(near(linear_backward(Tensor({2, 3, 0}), Tensor::filled({2, 3, 5}, 1), narrow),
                   Tensor::zeros({2, 3, 5}), 0));
}

TEST(Linear, BackwardByHand) {
  const Tensor x = tensor({2, 1}, {3, 5}), grad_y = tensor({2, 2}, {1, 2, 10, 20});
  Parameter w(tensor({1, 2}, {7, 11})), b(tensor({2}, {0, 0}));
  const Tensor grad_x = linear_bias_backward(grad_y, x, w, b);
  EXPECT_TRUE(near(grad_x, {2, 1}, {1 * 7 + 2 * 11, 10 * 7 + 20 * 11}));
  EXPECT_TRUE(near(w.grad, {1, 2}, {3 * 1 + 5 * 10, 3 * 2 + 5 * 20}));
  EXPECT_TRUE(near(b.grad, {2}, {1 + 10, 2 + 20}));
}

TEST(Linear, TransposedByHand) {
  const Tensor x = tensor({1, 2}, {1, 10}), grad_y = tensor({1, 3}, {1, 10, 100});
  Parameter w(tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  // Each output is the dot product with a row of W.
  EXPECT_TRUE(near(linear_transposed_forward(x, w), {1, 3}, {21, 43, 65}));
  EXPECT_TRUE(near(linear_transposed_backward(grad_y, x, w), {1, 2}, {1 + 30 + 500, 2 + 40 + 600}));
  EXPECT_TRUE(near(w.grad, {3, 2}, {1, 10, 10, 100, 100, 1000}));
}

TEST(Linear, RefusesShapesThatDoNotFitAndThenAddsNothing) {
  const Tensor x = Tensor::filled({2, 3}, 1);
  Parameter w(Tensor::zeros({5, 7})), fitting(Tensor::zeros({3, 7})), transposed(Tensor::zeros({7, 3}));
  Parameter b(Tensor::zeros({7})), short_b(Tensor::zeros({3}));
  EXPECT_THROW(linear_forward(x, w), std::logic_error);
  EXPECT_THROW(linear_bias_forward(x, fitting, short_b), std::logic_error);
  EXPECT_THROW(linear_transposed_forward(x, fitting), std::logic_error);
  for (const Shape& shape : {Shape{2, 5}, Shape{5, 7}}) {
    EXPECT_THROW(linear_backward(Tensor::filled(shape, 1), x, fitting), std::logic_error);
    EXPECT_THROW(linear_bias_backward(Tensor::filled(shape, 1), x, fitting, b), std::logic_error);
    EXPECT_THROW(linear_transposed_backward(Tensor::filled(shape, 1), x, transposed), std::logic_error);
  }
  EXPECT_THROW(linear_bias_backward(Tensor::filled({2, 7}, 1), x, fitting, short_b), std::logic_error);
  for (const Parameter* parameter : {&fitting, &transposed, &b, &short_b})
    EXPECT_TRUE(parameter->grad.empty());
}

GRADIENT_TEST(Linear, Gradient) {
  Tensor x = random_tensor({2, 3, 5}, 1);
  Parameter w = random_parameter({5, 7}, 2), b = random_parameter({7}, 3);
  const Tensor grad_y = random_tensor({2, 3, 7}, 4);
  const Tensor grad_x = linear_backward(grad_y, x, w);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, linear_forward(x, w)); },
                              {{"x", &x, grad_x}, {"w", &w.value, w.grad}}));

  w.grad = Tensor();
  const Tensor grad_x_with_bias = linear_bias_backward(grad_y, x, w, b);
  EXPECT_TRUE(
      gradients_agree([&] { return dot(grad_y, linear_bias_forward(x, w, b)); },
                      {{"x", &x, grad_x_with_bias}, {"w", &w.value, w.grad}, {"b", &b.value, b.grad}}));

  Parameter t = random_parameter({7, 5}, 2);
  const Tensor grad_x_transposed = linear_transposed_backward(grad_y, x, t);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, linear_transposed_forward(x, t)); },
                              {{"x", &x, grad_x_transposed}, {"t", &t.value, t.grad}}));
}

}  // namespace
}  // namespace plainformer
