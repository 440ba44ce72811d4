#include "ops/elementwise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(Elementwise, AddsAndScales) {
  const Tensor x = tensor({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(near(add(x, tensor({2, 2}, {10, 20, 30, 40})), {2, 2}, {11, 22, 33, 44}, 0));
  EXPECT_TRUE(near(add(x, x), {2, 2}, {2, 4, 6, 8}, 0));
  EXPECT_TRUE(near(scale(x, -3), {2, 2}, {-3, -6, -9, -12}, 0));
  EXPECT_TRUE(near(x, {2, 2}, {1, 2, 3, 4}, 0)) << "a shared input is left alone";
  const Tensor sum = add(Tensor::filled({7, 11'003}, 1), Tensor::filled({7, 11'003}, 2));
  EXPECT_TRUE(same_bits(sum, Tensor::filled({7, 11'003}, 3)));
}

TEST(Elementwise, RefusesToAddDifferentShapes) {
  EXPECT_THROW(add(Tensor({2, 3}), Tensor({3, 2})), std::logic_error);
}

GRADIENT_TEST(Elementwise, Gradient) {
  Tensor x = random_tensor({2, 3, 5}, 1), y = random_tensor({2, 3, 5}, 2);
  const Tensor grad = random_tensor({2, 3, 5}, 3);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad, add(x, y)); }, {{"x", &x, grad}, {"y", &y, grad}}));
  EXPECT_TRUE(gradients_agree([&] { return dot(grad, scale(x, 3)); }, {{"x", &x, scale(grad, 3)}}));
}

TEST(Relu, CutsOffTheNegative) {
  EXPECT_TRUE(near(relu_forward(tensor({2, 3}, {-2, -0.5, 0, 0.5, 2, 7})), {2, 3}, {0, 0, 0, 0.5, 2, 7}, 0));
}

TEST(Relu, ANaNStaysANaN) {
  const Tensor y = relu_forward(tensor({2}, {std::numeric_limits<double>::quiet_NaN(), -1}));
  EXPECT_TRUE(std::isnan(y.at({0})));
  EXPECT_EQ(y.at({1}), 0);
}

TEST(Relu, TheGradientPassesWhereTheOutputIsPositive) {
  const Tensor y = relu_forward(tensor({5}, {-2, -0.5, 0, 0.5, 2}));
  EXPECT_TRUE(near(relu_backward(tensor({5}, {1, 2, 3, 4, 5}), y), {5}, {0, 0, 0, 4, 5}, 0));
}

TEST(Relu, RefusesAGradientOfAnotherShape) {
  EXPECT_THROW(relu_backward(Tensor({2, 3}), Tensor({3, 2})), std::logic_error);
}

GRADIENT_TEST(Relu, Gradient) {
  Tensor x = random_tensor({2, 3, 5, 7}, 1);  // none within 1e-6 of the kink
  const Tensor grad_y = random_tensor({2, 3, 5, 7}, 2);
  const Tensor grad_x = relu_backward(grad_y, relu_forward(x));
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, relu_forward(x)); }, {{"x", &x, grad_x}}));
}

const RandomStream kStream = random_stream(1, 2, 3);

Real real(double value) {
  return static_cast<Real>(value);
}

TEST(Dropout, DropsOrScalesUp) {
  const Tensor x = tensor({8}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor y = dropout_forward(x, real(0.5), kStream);
  for (Index i = 0; i < 8; ++i) {
    // An element is dropped when its 32 bits, as a fraction, lie below the probability.
    const bool kept = random_bits(kStream, static_cast<std::uint32_t>(i)) >= 0x80000000u;
    EXPECT_EQ(y.at({i}), kept ? 2 * x.at({i}) : 0) << i;
  }
}

TEST(Dropout, KeepsTheRightFraction) {
  constexpr int kElements = 200'000;
  const Tensor ones = Tensor::filled({kElements}, 1);
  for (double probability : {0.1, 0.3, 0.9}) {
    const Tensor y = dropout_forward(ones, real(probability), kStream);
    const auto dropped = std::count(y.data(), y.data() + kElements, Real{0});
    const double deviation = std::sqrt(kElements * probability * (1 - probability));
    EXPECT_NEAR(static_cast<double>(dropped), kElements * probability, 5 * deviation) << probability;
    // Inverted: the mean is what it was.
    EXPECT_NEAR(dot(y, ones) / kElements, 1, 5 * deviation / (1 - probability) / kElements) << probability;
  }
}

TEST(Dropout, BackwardUsesTheSameMask) {
  const Tensor x = Tensor::filled({1000}, 1), grad_y = random_tensor({1000}, 1);
  const Tensor y = dropout_forward(x, real(0.3), kStream),
               grad_x = dropout_backward(grad_y, real(0.3), kStream);
  for (Index i = 0; i < 1000; ++i) EXPECT_NEAR(grad_x.at({i}), grad_y.at({i}) * y.at({i}), 1e-6);
}

TEST(Dropout, OfProbabilityZeroReturnsItsInput) {
  Tensor x = random_tensor({3, 5}, 1);
  const Real* storage = x.data();
  EXPECT_EQ(dropout_forward(std::move(x), 0, kStream).data(), storage);
  EXPECT_TRUE(dropout_forward(Tensor(), real(0.3), kStream).empty());
}

TEST(Dropout, RefusesAProbabilityOutOfItsRange) {
  EXPECT_THROW(dropout_forward(Tensor({3}), 1, kStream), std::logic_error);
  EXPECT_THROW(dropout_forward(Tensor({3}), real(-0.1), kStream), std::logic_error);
  EXPECT_THROW(dropout_forward(Tensor({3}), std::numeric_limits<Real>::quiet_NaN(), kStream),
               std::logic_error);
}

GRADIENT_TEST(Dropout, Gradient) {
  Tensor x = random_tensor({2, 3, 5}, 1);
  const Tensor grad_y = random_tensor({2, 3, 5}, 2);
  const Tensor grad_x = dropout_backward(grad_y, real(0.3), kStream);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, dropout_forward(x, real(0.3), kStream)); },
                              {{"x", &x, grad_x}}));
}

}  // namespace
}  // namespace plainformer
