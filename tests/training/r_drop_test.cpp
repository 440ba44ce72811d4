// R-Drop: two passes that are asked to agree.
#include "training/r_drop.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/thread_pool.h"
#include "support/gradient_check.h"

namespace plainformer {
namespace {

constexpr Index kTokens = 7, kWidth = 3, kVocab = 5;
constexpr double kSmoothing = 0.1, kAlpha = 5;
constexpr RDropOptions kOptions = {.alpha = kAlpha, .smoothing = kSmoothing};

std::vector<int> targets_for(Index tokens) {
  std::vector<int> targets;
  for (Index i = 0; i < tokens; ++i) targets.push_back(i % 4 == 2 ? kNoTarget : static_cast<int>(i % kVocab));
  return targets;
}

std::vector<double> softmax_of_row(const Tensor& x, const Parameter& table, Index row) {
  std::vector<double> p(kVocab);
  double sum = 0;
  for (Index k = 0; k < kVocab; ++k) {
    double logit = 0;
    for (Index j = 0; j < kWidth; ++j)
      logit += static_cast<double>(x.data()[row * kWidth + j]) * static_cast<double>(table.value(k, j));
    sum += p[k] = std::exp(logit);
  }
  for (double& p_k : p) p_k /= sum;
  return p;
}

double divergence(const std::vector<double>& p, const std::vector<double>& q) {
  double sum = 0;
  for (Index k = 0; k < kVocab; ++k) sum += p[k] * std::log(p[k] / q[k]);
  return sum;
}

double cross_entropy(const std::vector<double>& p, int target) {
  double sum = 0;
  for (Index k = 0; k < kVocab; ++k)
    sum -= (kSmoothing / kVocab + (k == target ? 1 - kSmoothing : 0)) * std::log(p[k]);
  return sum;
}

// The definition in the header.
double loss_of(const Tensor& x, const Parameter& table, const std::vector<int>& targets, double alpha) {
  double sum = 0;
  for (Index i = 0; i < std::ssize(targets); ++i) {
    if (targets[i] == kNoTarget) continue;
    const auto p = softmax_of_row(x, table, i), q = softmax_of_row(x, table, std::ssize(targets) + i);
    sum += (cross_entropy(p, targets[i]) + cross_entropy(q, targets[i])) / 2 +
           alpha / 4 * (divergence(p, q) + divergence(q, p));
  }
  return sum;
}

GRADIENT_TEST(RDrop, Gradient) {
  Tensor x = random_tensor({2, kTokens, kWidth}, 1), grad_x;
  Parameter table = random_parameter({kVocab, kWidth}, 2);
  const std::vector<int> targets = targets_for(kTokens);
  r_drop_forward_backward(Real(0.7), kOptions, x, table, targets, grad_x);
  EXPECT_TRUE(gradients_agree([&] { return 0.7 * loss_of(x, table, targets, kAlpha); },
                              {{"x", &x, grad_x}, {"table", &table.value, table.grad}}));
}

TEST(RDrop, ReportsTheMeanLossOfThePassesAndMayWriteTheGradientOverItsInput) {
  Tensor x = random_tensor({2, kTokens, kWidth}, 1);
  Parameter table = random_parameter({kVocab, kWidth}, 2), same_table = table;
  const std::vector<int> targets = targets_for(kTokens);
  Tensor grad_x;
  const CrossEntropy loss = r_drop_forward_backward(1, kOptions, x, table, targets, grad_x);
  EXPECT_NEAR(loss.loss, loss_of(x, table, targets, 0), 1e-5) << "without the divergences";
  EXPECT_EQ(loss.rows, 5);
  r_drop_forward_backward(1, kOptions, x, same_table, targets, x);
  EXPECT_TRUE(same_bits(x, grad_x));
  EXPECT_TRUE(same_bits(same_table.grad, table.grad));
}

// p = (1/2, 1/2), q = (1/4, 3/4), both with the same target 0 and alpha 4:
// grad of the first pass = (p - target) / 2 + p (log(p / q) - KL(p || q)) + p - q, and KL(p || q) = log(4/3)
// / 2. For the second pass p and q change places, and KL(q || p) = 3/4 log 3 - log 2.
TEST(RDrop, ByHand) {
  const Tensor x = tensor({2, 1, 1}, {0, std::log(3.0)});
  Parameter table(tensor({2, 1}, {0, 1}));
  const std::vector<int> targets = {0};
  Tensor grad_x;
  r_drop_forward_backward(1, {.alpha = 4}, x, table, targets, grad_x);
  // grad_x = grad of the logit of class 1, which alone depends on x.
  const double kl_pq = std::log(4.0 / 3) / 2, kl_qp = 0.75 * std::log(3.0) - std::log(2.0);
  EXPECT_NEAR(grad_x.data()[0], 0.25 + 0.5 * (std::log(2.0 / 3) - kl_pq) + 0.5 - 0.75, 1e-6);
  EXPECT_NEAR(grad_x.data()[1], 0.375 + 0.75 * (std::log(1.5) - kl_qp) + 0.75 - 0.5, 1e-6);
}

// The loss takes blocks of tokens, 1024 of so few classes, and the last one is short.
TEST(RDrop, OfManyTokensIsTheSumOfItsParts) {
  constexpr Index kMany = 1300;
  const Tensor x = random_tensor({2, kMany, kWidth}, 1);
  Parameter table = random_parameter({kVocab, kWidth}, 2);
  const std::vector<int> targets = targets_for(kMany);
  Tensor grad_x;
  const CrossEntropy loss = r_drop_forward_backward(1, kOptions, x, table, targets, grad_x);
  EXPECT_NEAR(loss.loss, loss_of(x, table, targets, 0), 1e-5 * kMany);
  Parameter one_by_one = random_parameter({kVocab, kWidth}, 2);  // gathers the gradients of all tokens
  for (Index i = 0; i < kMany; ++i) {
    Tensor token({2, 1, kWidth}), grad_token;
    for (Index j = 0; j < kWidth; ++j) {
      token.mutable_data()[j] = x(0, i, j);
      token.mutable_data()[kWidth + j] = x(1, i, j);
    }
    r_drop_forward_backward(1, kOptions, token, one_by_one, std::span(&targets[i], 1), grad_token);
    for (Index j = 0; j < kWidth; ++j) {
      EXPECT_NEAR(grad_x(0, i, j), grad_token(0, 0, j), 1e-5) << i;
      EXPECT_NEAR(grad_x(1, i, j), grad_token(1, 0, j), 1e-5) << i;
    }
  }
  EXPECT_TRUE(near(table.grad, one_by_one.grad, 1e-6 * kMany));
}

TEST(RDrop, AnyNumberOfThreadsGivesTheSameBits) {
  const Tensor x = random_tensor({2, 1300, kWidth}, 1);
  const std::vector<int> targets = targets_for(1300);
  const int before = threads();
  Tensor grad_x[2], grad_table[2];
  for (int i = 0; i < 2; ++i) {
    set_threads(i == 0 ? 1 : 3);
    Parameter table = random_parameter({kVocab, kWidth}, 2);
    r_drop_forward_backward(1, kOptions, x, table, targets, grad_x[i]);
    grad_table[i] = table.grad;
  }
  set_threads(before);
  EXPECT_TRUE(same_bits(grad_x[0], grad_x[1]));
  EXPECT_TRUE(same_bits(grad_table[0], grad_table[1]));
}

TEST(RDrop, RefusesTargetsOfOnePassOnlyAndANegativeAlpha) {
  const Tensor x = random_tensor({2, kTokens, kWidth}, 1);
  Parameter table = random_parameter({kVocab, kWidth}, 2);
  Tensor grad_x;
  EXPECT_THROW(r_drop_forward_backward(1, kOptions, x, table, targets_for(2 * kTokens), grad_x),
               std::logic_error);
  EXPECT_THROW(r_drop_forward_backward(1, kOptions, x, table, targets_for(kTokens - 1), grad_x),
               std::logic_error);
  EXPECT_THROW(r_drop_forward_backward(1, {.alpha = -1}, x, table, targets_for(kTokens), grad_x),
               std::logic_error);
}

TEST(RDrop, TrainsOnTheSentencesTwice) {
  const std::vector<std::vector<int>> sentences = {{3, 4}, {5}}, four = {{3, 4}, {5}, {3, 4}, {5}};
  const TokenBatch both = twice(TokenBatch::from(sentences)), expected = TokenBatch::from(four);
  EXPECT_EQ(both.batch, 4);
  EXPECT_EQ(both.ids, expected.ids);
  EXPECT_EQ(both.lengths, expected.lengths);
}

}  // namespace
}  // namespace plainformer
