#include "ops/cross_entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/writable_tensor.h"
#include "support/gradient_check.h"
#include "support/matmul.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

const double kLn2 = std::log(2.0), kLn3 = std::log(3.0), kLn5 = std::log(5.0);

// With logits (ln 2, ln 3, ln 5) the classes have the probabilities 0.2, 0.3 and 0.5.
Tensor known_logits() {
  return tensor({1, 3}, {kLn2, kLn3, kLn5});
}

TEST(CrossEntropy, IsMinusTheLogarithmOfTheTargetsProbability) {
  const CrossEntropy result = cross_entropy_forward(known_logits(), std::vector<int>{1}, 0);
  EXPECT_NEAR(result.loss, -std::log(0.3), 1e-6);
  EXPECT_NEAR(result.log_probability, std::log(0.3), 1e-6);
  EXPECT_EQ(result.rows, 1);
}

// The target distribution is (0.1/3, 0.9 + 0.1/3, 0.1/3): every one of the K classes gets 1/K of epsilon, the
// right one included. The same as PyTorch's F.cross_entropy(..., label_smoothing=0.1).
TEST(CrossEntropy, SmoothsOverAllClassesEqually) {
  const CrossEntropy result = cross_entropy_forward(known_logits(), std::vector<int>{1}, 0.1);
  const double rest = 0.1 / 3;
  EXPECT_NEAR(result.loss, -(rest * std::log(0.2) + (0.9 + rest) * std::log(0.3) + rest * std::log(0.5)),
              1e-6);
  EXPECT_NEAR(result.log_probability, std::log(0.3), 1e-6);  // this one is not smoothed
}

TEST(CrossEntropy, SumsOverTheRowsThatHaveATarget) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor logits = tensor({3, 2}, {0, kLn3, nan, nan, kLn2, 0});
  const CrossEntropy result = cross_entropy_forward(logits, std::vector<int>{1, kNoTarget, 1}, 0);
  EXPECT_NEAR(result.loss, -std::log(0.75) - std::log(1.0 / 3), 1e-6);
  EXPECT_NEAR(result.log_probability, std::log(0.75) + std::log(1.0 / 3), 1e-6);
  EXPECT_EQ(result.rows, 2);
}

TEST(CrossEntropy, DoesNotOverflow) {
  const Tensor logits = tensor({2, 2}, {30'000, 0, 0, 30'000});
  const std::vector<int> targets = {0, 0};
  EXPECT_NEAR(cross_entropy_forward(logits, targets, 0).loss, 0 + 30'000, 1e-2);
  Parameter identity(tensor({2, 2}, {1, 0, 0, 1}));  // with which the way in use has these logits
  Tensor grad;
  for (const CrossEntropy& result :
       {projected_cross_entropy_forward(logits, identity, targets, 0),
        projected_cross_entropy_forward_backward(1, logits, identity, targets, 0, grad)})
    EXPECT_NEAR(result.loss, 0 + 30'000, 1e-2);
}

TEST(CrossEntropy, TheGradientIsTheDifferenceOfDistributions) {
  const Tensor grad = cross_entropy_backward(1, known_logits(), std::vector<int>{1}, 0);
  EXPECT_TRUE(near(grad, {1, 3}, {0.2, 0.3 - 1, 0.5}, 1e-6));
  const Tensor smoothed = cross_entropy_backward(1, known_logits(), std::vector<int>{1}, 0.3);
  EXPECT_TRUE(near(smoothed, {1, 3}, {0.2 - 0.1, 0.3 - 0.8, 0.5 - 0.1}, 1e-6));
  const Tensor scaled = cross_entropy_backward(10, known_logits(), std::vector<int>{2}, 0);
  EXPECT_TRUE(near(scaled, {1, 3}, {2, 3, -5}, 1e-5));
}

TEST(CrossEntropy, ARowWithoutATargetHasGradientZeroAndIsNotRead) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor logits = tensor({2, 2}, {nan, nan, 0, kLn3});
  const Tensor grad = cross_entropy_backward(1, logits, std::vector<int>{kNoTarget, 0}, 0);
  EXPECT_TRUE(near(grad, {2, 2}, {0, 0, -0.75, 0.75}, 1e-6));
}

// Chapter 5.4's table. The loss is smallest where the model gives the smoothed target itself, and is then
// about 0.095 + 0.1 ln(10 K) for epsilon = 0.1.
TEST(CrossEntropy, HasAFloorThatGrowsWithTheClasses) {
  const std::pair<Index, double> floors[] = {
      {285, 0.887}, {1'000, 1.015}, {8'000, 1.224}, {10'000, 1.246}, {37'000, 1.377}};
  for (const auto& [classes, floor] : floors) {
    WritableTensor logits = Tensor::zeros({1, classes});
    logits(0, 3) = static_cast<Real>(std::log(0.9 * double(classes) / 0.1 + 1));
    const double loss = cross_entropy_forward(logits, std::vector<int>{3}, 0.1).loss;
    EXPECT_NEAR(loss, floor, 6e-4) << classes;
    EXPECT_NEAR(loss, 0.095 + 0.1 * std::log(10 * double(classes)), 0.004) << classes;
  }
}

TEST(CrossEntropy, RefusesWhatDoesNotFit) {
  const Tensor logits({2, 3});
  EXPECT_THROW(cross_entropy_forward(logits, std::vector<int>{0}, 0), std::logic_error);
  EXPECT_THROW(cross_entropy_forward(logits, std::vector<int>{0, 3}, 0), std::logic_error);
  EXPECT_THROW(cross_entropy_forward(logits, std::vector<int>{0, -2}, 0), std::logic_error);
  EXPECT_THROW(cross_entropy_forward(logits, std::vector<int>{0, 1}, 1), std::logic_error);
  EXPECT_THROW(cross_entropy_backward(1, logits, std::vector<int>{0, 1, 2}, 0), std::logic_error);
}

GRADIENT_TEST(CrossEntropy, Gradient) {
  Tensor x = random_tensor({2, 3, 5}, 1);
  const std::vector<int> targets = {0, 4, kNoTarget, 2, 2, kNoTarget};
  for (double smoothing : {0.0, 0.1}) {
    const Tensor grad_x = cross_entropy_backward(static_cast<Real>(0.25), x, targets, smoothing);
    EXPECT_TRUE(gradients_agree([&] { return 0.25 * cross_entropy_forward(x, targets, smoothing).loss; },
                                {{"x", &x, grad_x}}))
        << smoothing;
  }
}

// --- from what the logits are projected from ---

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

TEST(ProjectedCrossEntropy, MayWriteTheGradientOverItsInput) {
  Tensor x = random_tensor({9, 5}, 1), grad_x;
  Parameter table = random_parameter({11, 5}, 2), same_table = table;
  const std::vector<int> targets = targets_for(9, 11);
  projected_cross_entropy_forward_backward(1, x, table, targets, 0.1, grad_x);
  projected_cross_entropy_forward_backward(1, x, same_table, targets, 0.1, x);
  EXPECT_TRUE(same_bits(x, grad_x));
  EXPECT_TRUE(same_bits(same_table.grad, table.grad));
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
