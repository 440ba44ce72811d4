#include "beyond/cosine_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/attention_fixture.h"
#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// With the query [3 4], the keys [4 3], [6 8] and [-4 3] have the cosines 24/25, 1 and 0. With g = 2:
// weights e^1.92 : e^2 : 1.
TEST(CosineAttention, IsTheSoftmaxOfScaledCosines) {
  CosineAttention attention(2);
  CosineAttention::Cache cache;
  const Tensor output =
      attention.forward(tensor({1, 1, 2}, {3, 4}), tensor({1, 3, 2}, {4, 3, 6, 8, -4, 3}),
                        tensor({1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}), {.key_lengths = {3}}, 1, cache);
  const double sum = std::exp(1.92) + std::exp(2.0) + 1;
  EXPECT_TRUE(near(output, {1, 1, 3}, {std::exp(1.92) / sum, std::exp(2.0) / sum, 1 / sum}, 1e-5));
}

// The five words point in nearly the same direction, so 猫 looks at all of them nearly alike. With dot
// products it looks at the longest vector alone (FiveWords.WeightsAndOutput).
TEST(CosineAttention, DoesNotPreferTheLongestOfTheFiveWords) {
  const Tensor words = tensor({1, 5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const Tensor units =
      tensor({1, 5, 5}, {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1});
  CosineAttention attention(1);
  CosineAttention::Cache cache;
  const Tensor weights = attention.forward(words, words, units, {.key_lengths = {5}}, 1, cache);
  // The cosines of 猫 with the five: 5/5, 11/sqrt(125), 17/sqrt(305), 23/sqrt(565), 29/sqrt(905)
  const double cosines[] = {1, 11 / std::sqrt(125.0), 17 / std::sqrt(305.0), 23 / std::sqrt(565.0),
                            29 / std::sqrt(905.0)};
  double sum = 0;
  for (const double cosine : cosines) sum += std::exp(cosine);
  for (Index j = 0; j < 5; ++j) EXPECT_NEAR(weights.at({0, 0, j}), std::exp(cosines[j]) / sum, 1e-5);
  EXPECT_GT(weights.at({0, 0, 0}), weights.at({0, 0, 4}));
}

class Cosine : public RandomAttention {
 protected:
  const AttentionMask mask = masks[3];  // causal, with padding
  CosineAttention attention{3};

  Tensor forward(CosineAttention::Cache& cache) const {
    return attention.forward(query, key, value, mask, kHeads, cache);
  }
};

TEST_F(Cosine, TheLengthsOfQueriesAndKeysDoNotCount) {
  CosineAttention::Cache cache;
  const Tensor before = forward(cache);
  // Each position another length, and each head.
  for (Index row = 0; row < kBatch * kQueryLen * kHeads; ++row)
    for (Index p = 0; p < kDk; ++p) query.mutable_data()[row * kDk + p] *= static_cast<Real>(1 + row % 5);
  for (Index row = 0; row < kBatch * kKeyLen * kHeads; ++row)
    for (Index p = 0; p < kDk; ++p) key.mutable_data()[row * kDk + p] *= static_cast<Real>(1 + row % 7);
  EXPECT_TRUE(near(forward(cache), before, 1e-5));
}

// A vector of length 0 has no direction: its scores are 0, so it looks at all its keys alike.
TEST_F(Cosine, AVectorOfLengthZeroLooksAtAllKeysAlike) {
  std::fill_n(query.mutable_data() + 2 * kHeads * kDk, kHeads * kDk, Real{0});  // query 2 of element 0
  CosineAttention::Cache cache;
  const Tensor output = forward(cache);
  for (Index c = 0; c < kHeads * kDv; ++c)
    EXPECT_NEAR(output.at({0, 2, c}), (value.at({0, 0, c}) + value.at({0, 1, c}) + value.at({0, 2, c})) / 3,
                1e-6);
  const AttentionGradients grad = attention.backward(random_tensor(output.shape(), 4), cache);
  for (Index p = 0; p < kHeads * kDk; ++p) EXPECT_EQ(grad.query.at({0, 2, p}), 0);
}

TEST_F(Cosine, AFullyMaskedQueryGetsZeros) {
  CosineAttention::Cache cache;
  const Tensor output = forward(cache);
  for (Index i = 0; i < kQueryLen; ++i)
    for (Index c = 0; c < kHeads * kDv; ++c) EXPECT_EQ(output.at({2, i, c}), 0);
}

TEST_F(Cosine, RefusesShapesThatDoNotFit) {
  CosineAttention::Cache cache;
  EXPECT_THROW(attention.forward(query, key, value, mask, 0, cache), std::logic_error);
  EXPECT_THROW(attention.forward(query, key, value, mask, 3, cache), std::logic_error);
  EXPECT_THROW(attention.forward(query, Tensor({kBatch, kKeyLen, 6}), value, mask, kHeads, cache),
               std::logic_error);
}

GRADIENT_TEST_F(Cosine, Gradient) {
  const Tensor grad_output = random_tensor({kBatch, kQueryLen, kHeads * kDv}, 4);
  CosineAttention::Cache cache;
  forward(cache);
  const AttentionGradients grad = attention.backward(grad_output, cache);
  const auto loss = [&] {
    CosineAttention::Cache unused;
    return dot(grad_output, forward(unused));
  };
  EXPECT_TRUE(gradients_agree(loss, {{"query", &query, grad.query},
                                     {"key", &key, grad.key},
                                     {"value", &value, grad.value},
                                     {"scale", &attention.scale.value, attention.scale.grad}}));
}

}  // namespace
}  // namespace plainformer
