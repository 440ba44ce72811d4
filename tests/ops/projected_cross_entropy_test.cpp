#include "ops/projected_cross_entropy.h"

#include <gtest/gtest.h>

#include "gradient_check.h"
#include "ops/fast/matmul.h"
#include "tensors.h"

namespace plainformer {
namespace {

// Rows of two blocks of 2048 and a bit, each seventh without a target.
std::vector<int> targets_for(Index rows, Index classes) {
  std::vector<int> targets;
  for (Index row = 0; row < rows; ++row)
    targets.push_back(row % 7 == 3 ? kNoTarget : static_cast<int>(5 * row % classes));
  return targets;
}

TEST(ProjectedCrossEntropy, EqualsCrossEntropyOfAllLogits) {
  const Index rows = 4543, classes = 11, d = 5;
  const Tensor x = random_tensor({rows, d}, 1);
  Parameter table = random_parameter({classes, d}, 2);
  const std::vector<int> targets = targets_for(rows, classes);
  const Tensor logits = matmul(x, Transpose::kNo, table.value, Transpose::kYes);
  const CrossEntropy expected = cross_entropy_forward(logits, targets, 0.1);
  const Tensor grad_logits = cross_entropy_backward(Real(0.5), logits, targets, 0.1);

  const CrossEntropy forward = projected_cross_entropy_forward(x, table, targets, 0.1);
  Tensor grad_x;
  const CrossEntropy both =
      projected_cross_entropy_forward_backward(Real(0.5), x, table, targets, 0.1, grad_x);
  for (const CrossEntropy& actual : {forward, both}) {
    EXPECT_NEAR(actual.loss, expected.loss, 1e-5 * expected.loss);
    EXPECT_NEAR(actual.log_probability, expected.log_probability, 1e-5 * expected.loss);
    EXPECT_EQ(actual.rows, expected.rows);
  }
  EXPECT_TRUE(near(grad_x, matmul(grad_logits, Transpose::kNo, table.value, Transpose::kNo), 1e-5));
  EXPECT_TRUE(near(table.grad, matmul(grad_logits, Transpose::kYes, x, Transpose::kNo), 1e-4));
}

TEST(ProjectedCrossEntropy, AddsToTheTablesGradient) {
  const Tensor x = random_tensor({2, 3}, 1);
  Parameter table = random_parameter({5, 3}, 2);
  const std::vector<int> targets = {4, 0};
  Tensor grad_x;
  projected_cross_entropy_forward_backward(1, x, table, targets, 0, grad_x);
  const Tensor once = table.grad;
  projected_cross_entropy_forward_backward(1, x, table, targets, 0, grad_x);
  for (Index i = 0; i < once.size(); ++i) EXPECT_NEAR(table.grad.data()[i], 2 * once.data()[i], 1e-6);
}

TEST(ProjectedCrossEntropy, RefusesATableOfNoClasses) {
  Parameter table(Tensor::zeros({0, 3}));
  const std::vector<int> targets = {kNoTarget, kNoTarget};
  Tensor grad_x;
  const Tensor x = Tensor::zeros({2, 3});
  EXPECT_THROW(projected_cross_entropy_forward(x, table, targets, 0), std::logic_error);
  EXPECT_THROW(projected_cross_entropy_forward_backward(1, x, table, targets, 0, grad_x), std::logic_error);
}

GRADIENT_TEST(ProjectedCrossEntropy, Gradient) {
  Tensor x = random_tensor({7, 3}, 1);
  Parameter table = random_parameter({5, 3}, 2);
  const std::vector<int> targets = targets_for(7, 5);
  Tensor grad_x;
  projected_cross_entropy_forward_backward(Real(0.7), x, table, targets, 0.1, grad_x);
  const auto loss = [&] { return 0.7 * projected_cross_entropy_forward(x, table, targets, 0.1).loss; };
  EXPECT_TRUE(gradients_agree(loss, {{"x", &x, grad_x}, {"table", &table.value, table.grad}}));
}

}  // namespace
}  // namespace plainformer
