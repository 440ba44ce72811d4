#include "ops/embedding_lookup.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(EmbeddingLookup, PicksRows) {
  const Parameter table(tensor({3, 2}, {0, 1, 10, 11, 20, 21}));
  const std::vector<int> ids = {2, 0, 2, 1};
  EXPECT_TRUE(near(embedding_lookup_forward(ids, table), {4, 2}, {20, 21, 0, 1, 20, 21, 10, 11}, 0));
}

TEST(EmbeddingLookup, ARowThatWasPickedTwiceGetsBothShares) {
  Parameter table(Tensor::zeros({3, 2}));
  table.grad = Tensor::filled({3, 2}, 1000);
  embedding_lookup_backward(tensor({3, 2}, {1, 2, 10, 20, 100, 200}), std::vector<int>{2, 0, 2}, table);
  EXPECT_TRUE(near(table.grad, {3, 2}, {1010, 1020, 1000, 1000, 1101, 1202}, 0));
}

TEST(EmbeddingLookup, TakesNoIds) {
  Parameter table(Tensor::zeros({3, 2}));
  EXPECT_EQ(embedding_lookup_forward(std::vector<int>{}, table).shape(), (Shape{0, 2}));
  EXPECT_NO_THROW(embedding_lookup_backward(Tensor({0, 2}), std::vector<int>{}, table));
}

TEST(EmbeddingLookup, RefusesAnIdThatIsNotInTheTable) {
  Parameter table(Tensor::zeros({3, 2}));
  for (const int id : {3, -1}) {
    const std::vector<int> ids = {0, id};
    EXPECT_THROW(embedding_lookup_forward(ids, table), std::logic_error);
    EXPECT_THROW(embedding_lookup_backward(Tensor::filled({2, 2}, 1), ids, table), std::logic_error);
  }
  EXPECT_THROW(embedding_lookup_backward(Tensor({2, 2}), std::vector<int>{1}, table), std::logic_error);
  EXPECT_TRUE(table.grad.empty()) << "a refused call adds nothing";
}

GRADIENT_TEST(EmbeddingLookup, Gradient) {
  Parameter table = random_parameter({5, 3}, 1);
  const std::vector<int> ids = {4, 1, 4, 0, 4, 2, 1};  // 4 three times, 1 twice, 3 never
  const Tensor grad_y = random_tensor({7, 3}, 2);
  embedding_lookup_backward(grad_y, ids, table);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, embedding_lookup_forward(ids, table)); },
                              {{"table", &table.value, table.grad}}));
}

}  // namespace
}  // namespace plainformer
