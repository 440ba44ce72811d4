#include "ops/scaled_dot_product_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/attention.h"
#include "support/gradient_check.h"
#include "support/tensors.h"
#include "support/thrown_message.h"

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

TEST_F(FiveWords, WeightsAndOutput) {
  // All look at the last word, whose vector is the longest. The very first weight of the last row,
  // e^-107.48 = 2.1e-47, is below what a float can hold.
  Tensor weights = weights_of(words, words, words, no_mask({5}));
  EXPECT_NEAR(weights.at({0, 0, 4, 0}), 0, 1e-45);
  weights.mutable_data()[20] = 0;
  EXPECT_TRUE(nearly(weights, {4.2024e-08, 2.9245e-06, 2.0352e-04, 1.4163e-02, 9.8563e-01,  //
                               6.3503e-18, 1.2650e-13, 2.5199e-09, 5.0198e-05, 9.9995e-01,  //
                               9.4592e-28, 5.3937e-21, 3.0756e-14, 1.7537e-07, 1,           //
                               1.4089e-37, 2.2997e-28, 3.7536e-19, 6.1266e-10, 1,           //
                               0,          9.8050e-36, 4.5810e-24, 2.1403e-12, 1},
                     5e-5));
  EXPECT_TRUE(near(attend(words, words, words, no_mask({5})), {1, 1, 5, 2},
                   {8.9708, 9.9708, 8.9999, 9.9999, 9, 10, 9, 10, 9, 10}, 5e-5));
}

// Q = [1 2; 3 4], K = [5 6; 7 8; 9 10], V = [11 12; 13 14; 15 16].
class TwoQueriesThreeKeys : public testing::Test {
 protected:
  const Tensor q = tensor({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor k = tensor({1, 1, 3, 2}, {5, 6, 7, 8, 9, 10});
  const Tensor v = tensor({1, 1, 3, 2}, {11, 12, 13, 14, 15, 16});
};

// A text that assumes the weights 0.2 0.3 0.5 and 0.1 0.4 0.5 gets this average of the values. The scores
// that have these weights are their logarithms: here from unit vectors as keys.
TEST_F(TwoQueriesThreeKeys, WithAssumedWeights) {
  const auto component = [](double weight) { return std::sqrt(3.0) * std::log(weight); };
  const Tensor assumed = tensor({1, 1, 2, 3}, {component(0.2), component(0.3), component(0.5),  //
                                               component(0.1), component(0.4), component(0.5)});
  const Tensor units = tensor({1, 1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  EXPECT_TRUE(near(attend(assumed, units, v, no_mask({3})), {1, 1, 2, 2}, {13.6, 14.6, 13.8, 14.8}, 1e-5));
}

// The softmax of these scores is far sharper.
TEST_F(TwoQueriesThreeKeys, WithTheirOwnWeights) {
  EXPECT_TRUE(nearly(weights_of(q, k, v, no_mask({3})),
                     {2.0351879e-04, 1.4163153e-02, 9.8563333e-01,  //
                      2.5199165e-09, 5.0197510e-05, 9.9994980e-01},
                     2e-5));
  EXPECT_TRUE(
      near(attend(q, k, v, no_mask({3})), {1, 1, 2, 2}, {14.970860, 15.970860, 14.999900, 15.999900}, 1e-5));
}

// Pairwise different extents; masks of both kinds; a batch element without any key.
class Attention : public testing::Test {
 protected:
  static constexpr Index kBatch = 3, kHeads = 2, kQueryLen = 5, kKeyLen = 7, kDk = 4, kDv = 6;
  Tensor q = random_tensor({kBatch, kHeads, kQueryLen, kDk}, 1);
  Tensor k = random_tensor({kBatch, kHeads, kKeyLen, kDk}, 2);
  Tensor v = random_tensor({kBatch, kHeads, kKeyLen, kDv}, 3);
  const AttentionMask masks[4] = {{.key_lengths = {7, 7, 7}, .causal = false},
                                  {.key_lengths = {7, 3, 0}, .causal = false},
                                  {.key_lengths = {7, 7, 7}, .causal = true},
                                  {.key_lengths = {7, 3, 0}, .causal = true}};
};

TEST_F(Attention, EachRowOfWeightsSumsToOneOverWhatItSees) {
  for (const AttentionMask& mask : masks) {
    const Tensor weights = weights_of(q, k, v, mask);
    ASSERT_EQ(weights.shape(), (Shape{kBatch, kHeads, kQueryLen, kKeyLen}));
    for (Index b = 0; b < kBatch; ++b)
      for (Index h = 0; h < kHeads; ++h)
        for (Index i = 0; i < kQueryLen; ++i) {
          double sum = 0;
          for (Index j = 0; j < kKeyLen; ++j) {
            const bool sees = j < mask.key_lengths[b] && (!mask.causal || j <= i);
            EXPECT_EQ(weights.at({b, h, i, j}) != 0, sees) << b << h << i << j;
            sum += weights.at({b, h, i, j});
          }
          EXPECT_NEAR(sum, mask.key_lengths[b] > 0 ? 1 : 0, 1e-6);
        }
  }
}

TEST_F(Attention, AMaskedPositionHasNoInfluence) {
  const Tensor before = attend(q, k, v, masks[1]);
  for (Index h = 0; h < kHeads; ++h)
    for (Index j = 3; j < kKeyLen; ++j) {  // the padding of element 1
      const Index row = (kHeads + h) * kKeyLen + j;
      std::fill_n(k.mutable_data() + row * kDk, kDk, Real(1e6));
      std::fill_n(v.mutable_data() + row * kDv, kDv, Real(1e6));
    }
  EXPECT_TRUE(same_bits(attend(q, k, v, masks[1]), before));
}

TEST_F(Attention, AFullyMaskedQueryGetsZerosAndGivesZeros) {
  AttentionCache cache;
  const Tensor output = attention_forward(q, k, v, masks[1], cache);
  const AttentionGradients grad = attention_backward(random_tensor(output.shape(), 4), cache);
  // Element 2 has no keys.
  for (const Tensor* x : {&output, &grad.q, &grad.k, &grad.v}) {
    const Index element = x->size() / kBatch;
    EXPECT_TRUE(std::all_of(x->data() + 2 * element, x->data() + 3 * element, [](Real e) { return e == 0; }));
  }
}

TEST_F(Attention, AMaskedPositionGetsNoGradient) {
  AttentionCache cache;
  const Tensor output = attention_forward(q, k, v, masks[3], cache);
  const AttentionGradients grad = attention_backward(random_tensor(output.shape(), 4), cache);
  for (Index b = 0; b < kBatch; ++b)
    for (Index h = 0; h < kHeads; ++h) {
      // Padding, or after every query.
      for (Index j = std::min(masks[3].key_lengths[b], kQueryLen); j < kKeyLen; ++j) {
        for (Index p = 0; p < kDk; ++p) EXPECT_EQ(grad.k.at({b, h, j, p}), 0);
        for (Index p = 0; p < kDv; ++p) EXPECT_EQ(grad.v.at({b, h, j, p}), 0);
      }
    }
}

TEST_F(Attention, ScoresFarApartDoNotOverflow) {
  Tensor numbers({1, 1, 200, 1}), in_columns({1, 200, 1});
  for (Index i = 0; i < 200; ++i)
    numbers.mutable_data()[i] = in_columns.mutable_data()[i] = static_cast<Real>(i);
  EXPECT_TRUE(near(attend(tensor({1, 1, 1, 1}, {1000}), numbers, numbers, no_mask({200})), {1, 1, 1, 1},
                   {199}, 1e-6));
  MultiHeadAttention::Cache cache;  // of the way in use
  EXPECT_TRUE(near(heads_of(1, in_columns, in_columns)
                       .attend(tensor({1, 1, 1}, {1000}), in_columns, in_columns, no_mask({200}), cache),
                   {1, 1, 1}, {199}, 1e-6));
}

TEST_F(Attention, RefusesShapesThatDoNotFit) {
  EXPECT_NO_THROW(attend(q, k, v, masks[0]));
  EXPECT_THROW(attend(Tensor({kHeads, kBatch, kQueryLen, kDk}), k, v, masks[0]), std::logic_error);
  EXPECT_THROW(attend(q, Tensor({kBatch, kHeads, kKeyLen, kDk + 1}), v, masks[0]), std::logic_error);
  EXPECT_THROW(attend(q, k, Tensor({kBatch, kHeads, kKeyLen + 1, kDv}), masks[0]), std::logic_error);
  EXPECT_THROW(attend(q, k, v, no_mask({7, 7})), std::logic_error);
  EXPECT_THROW(attend(q, k, v, no_mask({7, 7, 8})), std::logic_error);
  EXPECT_THROW(attend(q, k, v, no_mask({7, 7, -1})), std::logic_error);
  const std::string message = thrown_message<std::logic_error>([&] {
    attend(q, Tensor({kBatch, kHeads, kKeyLen, 3}), v, masks[0]);
  });
  EXPECT_TRUE(contains(message, "k: expected [batch=3, heads=2, key_len=7, d_k=4], got [3, 2, 7, 3]"))
      << message;
}

TEST_F(Attention, RefusesAGradientOfAnotherShape) {
  AttentionCache cache;
  attention_forward(q, k, v, masks[0], cache);
  EXPECT_THROW(attention_backward(Tensor::zeros({kBatch, kHeads, kQueryLen, kDk}), cache), std::logic_error);
  EXPECT_THROW(attention_backward(Tensor::zeros({kBatch, kQueryLen, kHeads, kDv}), cache), std::logic_error);
}

GRADIENT_TEST(AttentionGradient, OfQueryKeyAndValue) {
  Tensor q = random_tensor({3, 2, 5, 4}, 1), k = random_tensor({3, 2, 7, 4}, 2);
  Tensor v = random_tensor({3, 2, 7, 6}, 3);
  const Tensor grad_output = random_tensor({3, 2, 5, 6}, 4);
  for (bool causal : {false, true}) {
    const AttentionMask mask = {.key_lengths = {7, 3, 0}, .causal = causal};
    AttentionCache cache;
    attention_forward(q, k, v, mask, cache);
    const AttentionGradients grad = attention_backward(grad_output, cache);
    const auto loss = [&] { return dot(grad_output, attend(q, k, v, mask)); };
    EXPECT_TRUE(gradients_agree(loss, {{"q", &q, grad.q}, {"k", &k, grad.k}, {"v", &v, grad.v}}))
        << (causal ? "causal" : "padding only");
  }
}

}  // namespace
}  // namespace plainformer
