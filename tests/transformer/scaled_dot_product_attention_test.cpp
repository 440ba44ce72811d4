#include "ops/scaled_dot_product_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradient_check.h"
#include "ops/batched_matmul.h"
#include "ops/elementwise.h"
#include "tensors.h"

namespace plainformer {
namespace {

AttentionMask no_mask(std::vector<Index> key_lengths) {
  return {.key_lengths = std::move(key_lengths), .causal = false};
}

testing::AssertionResult nearly(const Tensor& actual, const std::vector<double>& expected, double relative) {
  for (Index i = 0; i < actual.size(); ++i)
    if (!(std::abs(double(actual.data()[i]) - expected[i]) <= relative * expected[i]))
      return testing::AssertionFailure() << actual.to_string() << " at " << i << ", expected " << expected[i];
  return testing::AssertionSuccess();
}

// Five words, 猫 [1 2], 在 [3 4], 桌子 [5 6], 上 [7 8], 睡觉 [9 10], that attend to each other: Q = K = V.
class FiveWords : public testing::Test {
 protected:
  const Tensor words = tensor({1, 1, 5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
};

TEST_F(FiveWords, Scores) {
  const Tensor scores = batched_matmul(words, Transpose::kNo, words, Transpose::kYes);
  EXPECT_TRUE(near(scores, {1, 1, 5, 5}, {5,  11, 17,  23,  29,   //
                                          11, 25, 39,  53,  67,   //
                                          17, 39, 61,  83,  105,  //
                                          23, 53, 83,  113, 143,  //
                                          29, 67, 105, 143, 181},
                   0));
  const Tensor scaled = scale(scores, 1 / std::sqrt(Real{2}));
  EXPECT_TRUE(near(scaled, {1, 1, 5, 5}, {3.5355,  7.7782,  12.0208, 16.2635,  20.5061,   //
                                          7.7782,  17.6777, 27.5772, 37.4767,  47.3762,   //
                                          12.0208, 27.5772, 43.1335, 58.6899,  74.2462,   //
                                          16.2635, 37.4767, 58.6899, 79.9031,  101.1163,  //
                                          20.5061, 47.3762, 74.2462, 101.1163, 127.9863},
                   1e-4));
}

TEST_F(FiveWords, WeightsAndOutput) {
  AttentionCache cache;
  const Tensor output = scaled_dot_product_attention_forward(words, words, words, no_mask({5}), cache);
  // Everybody looks at the last word, whose vector is the longest. The very first weight of the last row,
  // e^-107.48 = 2.1e-47, is below what a float can hold.
  EXPECT_NEAR(cache.weights.at({0, 0, 4, 0}), 0, 1e-45);
  Tensor weights = cache.weights;
  weights.mutable_data()[20] = 0;
  EXPECT_TRUE(nearly(weights, {4.2024e-08, 2.9245e-06, 2.0352e-04, 1.4163e-02, 9.8563e-01,  //
                               6.3503e-18, 1.2650e-13, 2.5199e-09, 5.0198e-05, 9.9995e-01,  //
                               9.4592e-28, 5.3937e-21, 3.0756e-14, 1.7537e-07, 1,           //
                               1.4089e-37, 2.2997e-28, 3.7536e-19, 6.1266e-10, 1,           //
                               0,          9.8050e-36, 4.5810e-24, 2.1403e-12, 1},
                     5e-5));
  EXPECT_TRUE(near(output, {1, 1, 5, 2}, {8.9708, 9.9708, 8.9999, 9.9999, 9, 10, 9, 10, 9, 10}, 5e-5));
}

// Q = [1 2; 3 4], K = [5 6; 7 8; 9 10], V = [11 12; 13 14; 15 16].
class TwoQueriesThreeKeys : public testing::Test {
 protected:
  const Tensor query = tensor({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor key = tensor({1, 1, 3, 2}, {5, 6, 7, 8, 9, 10});
  const Tensor value = tensor({1, 1, 3, 2}, {11, 12, 13, 14, 15, 16});
};

TEST_F(TwoQueriesThreeKeys, Scores) {
  const Tensor scores = batched_matmul(query, Transpose::kNo, key, Transpose::kYes);
  EXPECT_TRUE(near(scores, {1, 1, 2, 3}, {17, 23, 29, 39, 53, 67}, 0));
}

// A text that assumes the weights 0.2 0.3 0.5 and 0.1 0.4 0.5 gets this average of the values.
TEST_F(TwoQueriesThreeKeys, WithAssumedWeights) {
  const Tensor weights = tensor({1, 1, 2, 3}, {0.2, 0.3, 0.5, 0.1, 0.4, 0.5});
  EXPECT_TRUE(near(batched_matmul(weights, Transpose::kNo, value, Transpose::kNo), {1, 1, 2, 2},
                   {13.6, 14.6, 13.8, 14.8}, 1e-5));
}

// The softmax of these scores is far sharper.
TEST_F(TwoQueriesThreeKeys, WithTheirOwnWeights) {
  AttentionCache cache;
  const Tensor output = scaled_dot_product_attention_forward(query, key, value, no_mask({3}), cache);
  EXPECT_TRUE(nearly(cache.weights,
                     {2.0351879e-04, 1.4163153e-02, 9.8563333e-01,  //
                      2.5199165e-09, 5.0197510e-05, 9.9994980e-01},
                     2e-5));
  EXPECT_TRUE(near(output, {1, 1, 2, 2}, {14.970860, 15.970860, 14.999900, 15.999900}, 1e-5));
}

// Pairwise different extents, and both masks.
class Attention : public testing::Test {
 protected:
  static constexpr Index kBatch = 3, kHeads = 2, kQueryLen = 5, kKeyLen = 7, kDk = 4, kDv = 6;
  Tensor query = random_tensor({kBatch, kHeads, kQueryLen, kDk}, 1);
  Tensor key = random_tensor({kBatch, kHeads, kKeyLen, kDk}, 2);
  Tensor value = random_tensor({kBatch, kHeads, kKeyLen, kDv}, 3);
  const AttentionMask masks[4] = {{.key_lengths = {7, 7, 7}, .causal = false},
                                  {.key_lengths = {7, 3, 0}, .causal = false},
                                  {.key_lengths = {7, 7, 7}, .causal = true},
                                  {.key_lengths = {7, 3, 0}, .causal = true}};

  Tensor forward(const AttentionMask& mask, AttentionCache& cache) const {
    return scaled_dot_product_attention_forward(query, key, value, mask, cache);
  }
};

TEST_F(Attention, EachRowOfWeightsSumsToOneOverWhatItSees) {
  for (const AttentionMask& mask : masks) {
    AttentionCache cache;
    forward(mask, cache);
    for (Index b = 0; b < kBatch; ++b)
      for (Index h = 0; h < kHeads; ++h)
        for (Index i = 0; i < kQueryLen; ++i) {
          double sum = 0;
          for (Index j = 0; j < kKeyLen; ++j) {
            const bool sees = j < mask.key_lengths[b] && (!mask.causal || j <= i);
            EXPECT_EQ(cache.weights.at({b, h, i, j}) != 0, sees) << b << h << i << j;
            sum += cache.weights.at({b, h, i, j});
          }
          EXPECT_NEAR(sum, mask.key_lengths[b] > 0 ? 1 : 0, 1e-6);
        }
  }
}

TEST_F(Attention, AMaskedPositionHasNoInfluence) {
  AttentionCache cache;
  const Tensor before = forward(masks[1], cache);
  for (Index h = 0; h < kHeads; ++h)
    for (Index j = 3; j < kKeyLen; ++j) {  // the padding of element 1
      const Index row = (kHeads + h) * kKeyLen + j;
      std::fill_n(key.mutable_data() + row * kDk, kDk, Real(1e6));
      std::fill_n(value.mutable_data() + row * kDv, kDv, Real(1e6));
    }
  EXPECT_TRUE(same_bits(forward(masks[1], cache), before));
}

TEST_F(Attention, AFullyMaskedQueryGetsZerosAndGivesZeros) {
  AttentionCache cache;
  const Tensor output = forward(masks[1], cache);
  const AttentionGradients grad =
      scaled_dot_product_attention_backward(random_tensor(output.shape(), 4), cache);
  for (Index h = 0; h < kHeads; ++h) {  // of element 2, which has no keys
    for (Index i = 0; i < kQueryLen; ++i) {
      for (Index j = 0; j < kKeyLen; ++j) EXPECT_EQ(cache.weights.at({2, h, i, j}), 0);
      for (Index d = 0; d < kDv; ++d) EXPECT_EQ(output.at({2, h, i, d}), 0);
      for (Index d = 0; d < kDk; ++d) EXPECT_EQ(grad.query.at({2, h, i, d}), 0);
    }
    for (Index j = 0; j < kKeyLen; ++j) {
      for (Index d = 0; d < kDk; ++d) EXPECT_EQ(grad.key.at({2, h, j, d}), 0);
      for (Index d = 0; d < kDv; ++d) EXPECT_EQ(grad.value.at({2, h, j, d}), 0);
    }
  }
}

TEST_F(Attention, AMaskedPositionGetsNoGradient) {
  AttentionCache cache;
  const Tensor output = forward(masks[3], cache);
  const AttentionGradients grad =
      scaled_dot_product_attention_backward(random_tensor(output.shape(), 4), cache);
  for (Index b = 0; b < kBatch; ++b)
    for (Index j = std::min(masks[3].key_lengths[b], kQueryLen); j < kKeyLen;
         ++j) {  // padding, or after every query
      for (Index d = 0; d < kDk; ++d) EXPECT_EQ(grad.key.at({b, 1, j, d}), 0);
      for (Index d = 0; d < kDv; ++d) EXPECT_EQ(grad.value.at({b, 1, j, d}), 0);
    }
}

TEST_F(Attention, KeepsItsInputsByReference) {
  AttentionCache cache;
  forward(masks[0], cache);
  EXPECT_EQ(cache.query.data(), query.data());
  EXPECT_EQ(cache.key.data(), key.data());
  EXPECT_EQ(cache.value.data(), value.data());
}

TEST_F(Attention, RefusesShapesThatDoNotFit) {
  AttentionCache cache;
  const auto attend = [&](const Tensor& k, const Tensor& v) {
    scaled_dot_product_attention_forward(query, k, v, masks[0], cache);
  };
  EXPECT_THROW(attend(Tensor({kBatch, kHeads, kKeyLen, kDk + 1}), value), std::logic_error);
  EXPECT_THROW(attend(Tensor({kBatch, kHeads + 1, kKeyLen, kDk}), value), std::logic_error);
  EXPECT_THROW(attend(key, Tensor({kBatch, kHeads, kKeyLen + 1, kDv})), std::logic_error);
  EXPECT_THROW(scaled_dot_product_attention_forward(query, key, value, no_mask({7, 7}), cache),
               std::logic_error);
}

GRADIENT_TEST(AttentionGradient, OfQueryKeyAndValue) {
  Tensor query = random_tensor({3, 2, 5, 4}, 1), key = random_tensor({3, 2, 7, 4}, 2);
  Tensor value = random_tensor({3, 2, 7, 6}, 3);
  const Tensor grad_output = random_tensor({3, 2, 5, 6}, 4);
  for (bool causal : {false, true}) {
    const AttentionMask mask = {.key_lengths = {7, 3, 0}, .causal = causal};
    AttentionCache cache;
    scaled_dot_product_attention_forward(query, key, value, mask, cache);
    const AttentionGradients grad = scaled_dot_product_attention_backward(grad_output, cache);
    const auto loss = [&] {
      AttentionCache unused;
      return dot(grad_output, scaled_dot_product_attention_forward(query, key, value, mask, unused));
    };
    EXPECT_TRUE(gradients_agree(
        loss, {{"query", &query, grad.query}, {"key", &key, grad.key}, {"value", &value, grad.value}}))
        << (causal ? "causal" : "padding only");
  }
}

}  // namespace
}  // namespace plainformer
