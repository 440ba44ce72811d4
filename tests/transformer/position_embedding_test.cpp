#include "transformer/position_embedding.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

PositionEmbedding three_positions() {
  PositionEmbedding positions(3, 2);
  positions.table.value = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
  return positions;
}

TEST(PositionEmbedding, AddsTheRowOfEachPositionToEverySentence) {
  const Tensor x = tensor({2, 2, 2}, {10, 20, 30, 40, 50, 60, 70, 80});
  EXPECT_TRUE(near(three_positions().forward(x), {2, 2, 2}, {11, 22, 33, 44, 51, 62, 73, 84}, 0));
}

TEST(PositionEmbedding, MayStartAtALaterPosition) {
  EXPECT_TRUE(near(three_positions().forward(Tensor::zeros({2, 1, 2}), 2), {2, 1, 2}, {5, 6, 5, 6}, 0));
}

TEST(PositionEmbedding, BackwardSumsOverTheBatch) {
  PositionEmbedding positions = three_positions();
  positions.table.grad = Tensor::filled({3, 2}, 100);
  const Tensor grad_output = tensor({2, 2, 2}, {1, 2, 3, 4, 50, 60, 70, 80});
  positions.backward(grad_output);
  EXPECT_TRUE(near(positions.table.grad, {3, 2}, {151, 162, 173, 184, 100, 100}, 0));
}

TEST(PositionEmbedding, RefusesPositionsBeyondItsTable) {
  PositionEmbedding positions = three_positions();
  EXPECT_NO_THROW(positions.forward(Tensor::zeros({1, 3, 2})));
  EXPECT_THROW(positions.forward(Tensor::zeros({1, 4, 2})), std::logic_error);
  EXPECT_THROW(positions.forward(Tensor::zeros({1, 2, 2}), 2), std::logic_error);
  EXPECT_THROW(positions.forward(Tensor::zeros({1, 2, 2}), -1), std::logic_error);
  EXPECT_THROW(positions.forward(Tensor::zeros({1, 2, 3})), std::logic_error);
  EXPECT_THROW(positions.backward(Tensor::zeros({1, 4, 2})), std::logic_error);
  EXPECT_THROW(positions.backward(Tensor::zeros({1, 2, 3})), std::logic_error);
}

GRADIENT_TEST(PositionEmbedding, Gradient) {
  PositionEmbedding positions(3, 5);
  positions.table = random_parameter({3, 5}, 1);  // all positions are used, so that each has a gradient
  Tensor x = random_tensor({2, 3, 5}, 2);
  const Tensor grad_output = random_tensor({2, 3, 5}, 3);
  positions.backward(grad_output);
  EXPECT_TRUE(
      gradients_agree([&] { return dot(grad_output, positions.forward(x)); },
                      {{"x", &x, grad_output}, {"table", &positions.table.value, positions.table.grad}}));
}

}  // namespace
}  // namespace plainformer
