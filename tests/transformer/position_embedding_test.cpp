#include "transformer/position_embedding.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

Parameter three_positions() {
  return Parameter(tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
}

TEST(PositionEmbedding, AddsTheRowOfEachPositionToEverySentence) {
  const Tensor x = tensor({2, 2, 2}, {10, 20, 30, 40, 50, 60, 70, 80});
  EXPECT_TRUE(
      near(position_embedding_forward(x, three_positions()), {2, 2, 2}, {11, 22, 33, 44, 51, 62, 73, 84}, 0));
}

TEST(PositionEmbedding, MayStartAtALaterPosition) {
  EXPECT_TRUE(near(position_embedding_forward(Tensor::zeros({2, 1, 2}), three_positions(), 2), {2, 1, 2},
                   {5, 6, 5, 6}, 0));
}

TEST(PositionEmbedding, BackwardSumsOverTheBatch) {
  Parameter table = three_positions();
  table.grad = Tensor::filled({3, 2}, 100);
  const Tensor grad_output = tensor({2, 2, 2}, {1, 2, 3, 4, 50, 60, 70, 80});
  position_embedding_backward(grad_output, table);
  EXPECT_TRUE(near(table.grad, {3, 2}, {151, 162, 173, 184, 100, 100}, 0));
}

TEST(PositionEmbedding, RefusesPositionsBeyondItsTable) {
  Parameter table = three_positions();
  EXPECT_NO_THROW(position_embedding_forward(Tensor::zeros({1, 3, 2}), table));
  EXPECT_THROW(position_embedding_forward(Tensor::zeros({1, 4, 2}), table), std::logic_error);
  EXPECT_THROW(position_embedding_forward(Tensor::zeros({1, 2, 2}), table, 2), std::logic_error);
  EXPECT_THROW(position_embedding_forward(Tensor::zeros({1, 2, 2}), table, -1), std::logic_error);
  EXPECT_THROW(position_embedding_forward(Tensor::zeros({1, 2, 3}), table), std::logic_error);
  EXPECT_THROW(position_embedding_backward(Tensor::zeros({1, 4, 2}), table), std::logic_error);
  EXPECT_THROW(position_embedding_backward(Tensor::zeros({1, 2, 3}), table), std::logic_error);
}

GRADIENT_TEST(PositionEmbedding, Gradient) {
  Parameter table = random_parameter({3, 5}, 1);  // all positions are used, so that each has a gradient
  Tensor x = random_tensor({2, 3, 5}, 2);
  const Tensor grad_output = random_tensor({2, 3, 5}, 3);
  position_embedding_backward(grad_output, table);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_output, position_embedding_forward(x, table)); },
                              {{"x", &x, grad_output}, {"table", &table.value, table.grad}}));
}

}  // namespace
}  // namespace plainformer
