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

TEST(AddRows, AddsThemToEveryElementOfTheBatch) {
  const Tensor x = tensor({2, 2, 2}, {10, 20, 30, 40, 50, 60, 70, 80});
  const Tensor rows = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(near(add_rows_forward(x, rows, 0), {2, 2, 2}, {11, 22, 33, 44, 51, 62, 73, 84}, 0));
  EXPECT_TRUE(near(add_rows_forward(x, rows, 1), {2, 2, 2}, {13, 24, 35, 46, 53, 64, 75, 86}, 0));
  EXPECT_EQ(x.at({0, 0, 0}), 10) << "a shared input is left alone";
}

TEST(AddRows, BackwardSumsOverTheBatch) {
  const Tensor grad_y = tensor({2, 2, 2}, {1, 2, 3, 4, 50, 60, 70, 80});
  Tensor grad_rows = Tensor::filled({4, 2}, 100);
  add_rows_backward(grad_y, grad_rows, 1);
  EXPECT_TRUE(near(grad_rows, {4, 2}, {100, 100, 151, 162, 173, 184, 100, 100}, 0));
}

TEST(AddRows, TakesAnEmptyBatchAndNoRows) {
  Tensor rows = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor before = rows;
  for (const Shape& shape : {Shape{0, 2, 2}, Shape{2, 0, 2}}) {
    EXPECT_EQ(add_rows_forward(Tensor(shape), rows, 1).shape(), shape);
    add_rows_backward(Tensor(shape), rows, 1);
  }
  EXPECT_TRUE(same_bits(rows, before));
}

TEST(AddRows, RefusesRowsThatDoNotExistOrDoNotFit) {
  Tensor rows = Tensor::zeros({3, 2});
  const auto refused = [&](const Shape& shape, Index first_row) {
    EXPECT_THROW(add_rows_forward(Tensor::zeros(shape), rows, first_row), std::logic_error);
    EXPECT_THROW(add_rows_backward(Tensor::zeros(shape), rows, first_row), std::logic_error);
  };
  EXPECT_NO_THROW(add_rows_forward(Tensor::zeros({5, 2, 2}), rows, 1));
  refused({5, 2, 2}, 2);
  refused({5, 2, 2}, -1);
  refused({5, 4, 2}, 0);
  refused({5, 2, 3}, 0);
  refused({2, 2}, 0);
}

GRADIENT_TEST(AddRows, Gradient) {
  Tensor x = random_tensor({2, 3, 5}, 1), rows = random_tensor({4, 5}, 2);
  const Tensor grad_y = random_tensor({2, 3, 5}, 3);
  Tensor grad_rows = Tensor::zeros({4, 5});
  add_rows_backward(grad_y, grad_rows, 1);
  EXPECT_TRUE(gradients_agree([&] { return dot(grad_y, add_rows_forward(x, rows, 1)); },
                              {{"x", &x, grad_y}, {"rows", &rows, grad_rows}}));
}

}  // namespace
}  // namespace plainformer
