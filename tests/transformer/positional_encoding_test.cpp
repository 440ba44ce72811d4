#include "transformer/positional_encoding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(PositionalEncoding, ByHand) {
  // d_model 4: the frequencies are 10000^0 = 1 and 10000^(-2/4) = 1/100.
  const PositionalEncoding encoding(3, 4);
  EXPECT_TRUE(near(encoding.table.value, {3, 4},
                   {0, 1, 0, 1,                                                //
                    std::sin(1), std::cos(1), std::sin(0.01), std::cos(0.01),  //
                    std::sin(2), std::cos(2), std::sin(0.02), std::cos(0.02)},
                   1e-7));
}

TEST(PositionalEncoding, IsExactFarOutToo) {
  const PositionalEncoding encoding(5001, 6);
  EXPECT_NEAR(encoding.table.value.at({5000, 0}), std::sin(5000.0), 1e-7);
  EXPECT_NEAR(encoding.table.value.at({5000, 3}), std::cos(5000.0 / std::pow(10000.0, 2.0 / 6)), 1e-7);
}

TEST(PositionalEncoding, TakesAnOddWidth) {
  const PositionalEncoding encoding(2, 3);
  EXPECT_TRUE(near(encoding.table.value, {2, 3},
                   {0, 1, 0, std::sin(1), std::cos(1), std::sin(std::pow(10000.0, -2.0 / 3))}, 1e-7));
}

TEST(PositionalEncoding, AddsTheSameToEverySentence) {
  const PositionalEncoding encoding(5, 2);
  const Tensor x = tensor({2, 2, 2}, {10, 20, 30, 40, 50, 60, 70, 80});
  EXPECT_TRUE(near(encoding.forward(x), {2, 2, 2},
                   {10, 21, 30 + std::sin(1), 40 + std::cos(1), 50, 61, 70 + std::sin(1), 80 + std::cos(1)}));
}

TEST(PositionalEncoding, MayStartAtALaterPosition) {
  const PositionalEncoding encoding(5, 2);
  EXPECT_TRUE(near(encoding.forward(Tensor::zeros({1, 2, 2}), 3), {1, 2, 2},
                   {std::sin(3), std::cos(3), std::sin(4), std::cos(4)}, 1e-7));
}

TEST(PositionalEncoding, RefusesPositionsBeyondItsTable) {
  const PositionalEncoding encoding(5, 2);
  EXPECT_NO_THROW(encoding.forward(Tensor::zeros({1, 5, 2})));
  EXPECT_THROW(encoding.forward(Tensor::zeros({1, 6, 2})), std::logic_error);
  EXPECT_THROW(encoding.forward(Tensor::zeros({1, 2, 2}), 4), std::logic_error);
  EXPECT_THROW(encoding.forward(Tensor::zeros({1, 2, 2}), -1), std::logic_error);
  EXPECT_THROW(encoding.forward(Tensor::zeros({1, 2, 3})), std::logic_error);
}

GRADIENT_TEST(PositionalEncoding, TheGradientPassesUnchanged) {
  const PositionalEncoding encoding(5, 2);
  Tensor x = random_tensor({2, 3, 2}, 1);
  const Tensor grad_output = random_tensor({2, 3, 2}, 2);
  EXPECT_TRUE(
      gradients_agree([&] { return dot(grad_output, encoding.forward(x)); }, {{"x", &x, grad_output}}));
}

PositionalEncoding learned_positions(const Tensor& table) {
  PositionalEncoding positions(table.dim(0), table.dim(1), Positions::kLearned);
  EXPECT_TRUE(same_bits(positions.table.value, Tensor::zeros(table.shape())));
  positions.table.value = table;
  return positions;
}

TEST(LearnedPositions, AreAddedToEverySentenceAndSumItsGradients) {
  PositionalEncoding positions = learned_positions(tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  const Tensor x = tensor({2, 2, 2}, {10, 20, 30, 40, 50, 60, 70, 80});
  EXPECT_TRUE(near(positions.forward(x), {2, 2, 2}, {11, 22, 33, 44, 51, 62, 73, 84}, 0));
  EXPECT_EQ(x.at({0, 0, 0}), 10) << "a shared input is left alone";
  positions.table.grad = Tensor::filled({3, 2}, 100);
  positions.backward(tensor({2, 2, 2}, {1, 2, 3, 4, 50, 60, 70, 80}));
  EXPECT_TRUE(near(positions.table.grad, {3, 2}, {151, 162, 173, 184, 100, 100}, 0));
  EXPECT_THROW(positions.backward(Tensor::zeros({1, 4, 2})), std::logic_error);
  EXPECT_THROW(positions.backward(Tensor::zeros({1, 2, 3})), std::logic_error);
}

GRADIENT_TEST(LearnedPositions, Gradient) {
  PositionalEncoding positions = learned_positions(random_tensor({3, 5}, 1));
  Tensor x = random_tensor({2, 3, 5}, 2);  // all positions are used, so that each has a gradient
  const Tensor grad_output = random_tensor({2, 3, 5}, 3);
  positions.backward(grad_output);
  EXPECT_TRUE(
      gradients_agree([&] { return dot(grad_output, positions.forward(x)); },
                      {{"x", &x, grad_output}, {"table", &positions.table.value, positions.table.grad}}));
}

}  // namespace
}  // namespace plainformer
