#include "ops/scaled_dot_product_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/attention.h"
#include "support/attention_fixture.h"
#include "support/gradient_check.h"
#include "support/tensors.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

AttentionMask no_mask(std::vector<Index> key_lengths) {
  return {.key_lengths = std::move(key_lengths), .causal = false};
}

// The output of one head that sees everything.
Tensor attend(const Tensor& query, const Tensor& key, const Tensor& value) {
  AttentionCache cache;
  return attention_forward(query, key, value, no_mask({key.dim(1)}), 1, cache);
}

testing::AssertionResult nearly(const Tensor& actual, const std::vector<double>& expected, double relative) {
  for (Index i = 0; i < actual.size(); ++i)
    if (!(std::abs(double(actual.data()[i]) - expected[i]) <= relative * expected[i]))
      return testing::AssertionFailure() << actual.to_string() << " at " << i << ", expected " << expected[i];
  return testing::AssertionSuccess();
}

// Has plain attention these scores, before their division by sqrt(d_k)? They are read from its weights: beside
// the keys stands a key of zeros, whose score is 0, so
//   log w_ij - log w_i,zeros = score_ij / sqrt(d_k)
// The queries are a hundredth of those given, so that no weight is too small for a float.
testing::AssertionResult have_scores(const Tensor& query, const Tensor& key,
                                     const std::vector<double>& scores) {
  const Index queries = query.dim(1), keys = key.dim(1), d_k = key.dim(2);
  Tensor small_query = query, key_and_zeros = Tensor::zeros({1, keys + 1, d_k});
  const Tensor value = Tensor::zeros({1, keys + 1, 1});
  for (Index i = 0; i < query.size(); ++i) small_query.mutable_data()[i] /= 100;
  std::copy_n(key.data(), key.size(), key_and_zeros.mutable_data());
  const Tensor weights = plain_attention(small_query, key_and_zeros, value, no_mask({keys + 1})).weights;
  for (Index i = 0; i < queries; ++i)
    for (Index j = 0; j < keys; ++j) {
      const double log_ratio =
          std::log(double(weights.at({0, 0, i, j}))) - std::log(double(weights.at({0, 0, i, keys})));
      const double score = 100 * log_ratio * std::sqrt(double(d_k));
      if (!(std::abs(score - scores[i * keys + j]) <= 1e-3))
        return testing::AssertionFailure()
               << "score " << i << ", " << j << ": " << score << ", expected " << scores[i * keys + j];
    }
  return testing::AssertionSuccess();
}

// Five words, 猫 [1 2], 在 [3 4], 桌子 [5 6], 上 [7 8], 睡觉 [9 10], that attend to each other: Q = K = V.
class FiveWords : public testing::Test {
 protected:
  const Tensor words = tensor({1, 5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
};

TEST_F(FiveWords, Scores) {
  const std::vector<double> scores = {5,  11, 17,  23,  29,   //
                                      11, 25, 39,  53,  67,   //
                                      17, 39, 61,  83,  105,  //
                                      23, 53, 83,  113, 143,  //
                                      29, 67, 105, 143, 181};
  EXPECT_TRUE(have_scores(words, words, scores));
}

TEST_F(FiveWords, WeightsAndOutput) {
  // Everybody looks at the last word, whose vector is the longest. The very first weight of the last row,
  // e^-107.48 = 2.1e-47, is below what a float can hold.
  Tensor weights = plain_attention(words, words, words, no_mask({5})).weights;
  EXPECT_NEAR(weights.at({0, 0, 4, 0}), 0, 1e-45);
  weights.mutable_data()[20] = 0;
  EXPECT_TRUE(nearly(weights, {4.2024e-08, 2.9245e-06, 2.0352e-04, 1.4163e-02, 9.8563e-01,  //
                               6.3503e-18, 1.2650e-13, 2.5199e-09, 5.0198e-05, 9.9995e-01,  //
                               9.4592e-28, 5.3937e-21, 3.0756e-14, 1.7537e-07, 1,           //
                               1.4089e-37, 2.2997e-28, 3.7536e-19, 6.1266e-10, 1,           //
                               0,          9.8050e-36, 4.5810e-24, 2.1403e-12, 1},
                     5e-5));
  EXPECT_TRUE(near(attend(words, words, words), {1, 5, 2},
                   {8.9708, 9.9708, 8.9999, 9.9999, 9, 10, 9, 10, 9, 10}, 5e-5));
}

// Q = [1 2; 3 4], K = [5 6; 7 8; 9 10], V = [11 12; 13 14; 15 16].
class TwoQueriesThreeKeys : public testing::Test {
 protected:
  const Tensor query = tensor({1, 2, 2}, {1, 2, 3, 4});
  const Tensor key = tensor({1, 3, 2}, {5, 6, 7, 8, 9, 10});
  const Tensor value = tensor({1, 3, 2}, {11, 12, 13, 14, 15, 16});
};

TEST_F(TwoQueriesThreeKeys, Scores) {
  EXPECT_TRUE(have_scores(query, key, {17, 23, 29, 39, 53, 67}));
}

// A text that assumes the weights 0.2 0.3 0.5 and 0.1 0.4 0.5 gets this average of the values. The scores that
// have these weights are their logarithms: here from unit vectors as keys.
TEST_F(TwoQueriesThreeKeys, WithAssumedWeights) {
  const auto component = [](double weight) { return std::sqrt(3.0) * std::log(weight); };
  const Tensor assumed = tensor({1, 2, 3}, {component(0.2), component(0.3), component(0.5),  //
                                            component(0.1), component(0.4), component(0.5)});
  const Tensor units = tensor({1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  EXPECT_TRUE(near(attend(assumed, units, value), {1, 2, 2}, {13.6, 14.6, 13.8, 14.8}, 1e-5));
}

// The softmax of these scores is far sharper.
TEST_F(TwoQueriesThreeKeys, WithTheirOwnWeights) {
  EXPECT_TRUE(nearly(plain_attention(query, key, value, no_mask({3})).weights,
                     {2.0351879e-04, 1.4163153e-02, 9.8563333e-01,  //
                      2.5199165e-09, 5.0197510e-05, 9.9994980e-01},
                     2e-5));
  EXPECT_TRUE(near(attend(query, key, value), {1, 2, 2}, {14.970860, 15.970860, 14.999900, 15.999900}, 1e-5));
}

class Attention : public RandomAttention {
 protected:
  Tensor forward(const AttentionMask& mask, AttentionCache& cache) const {
    return attention_forward(query, key, value, mask, kHeads, cache);
  }
};

TEST_F(Attention, EachRowOfWeightsSumsToOneOverWhatItSees) {
  for (const AttentionMask& mask : masks) {
    const Tensor weights = plain_attention(query, key, value, mask, kHeads).weights;
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

// Scores 0 and ln 3: weights 1/4 and 3/4. The third key is not seen.
TEST_F(Attention, AveragesTheVisibleValues) {
  AttentionCache cache;
  const Tensor output = attention_forward(tensor({1, 1, 1}, {1}), tensor({1, 3, 1}, {0, std::log(3.0), 9}),
                                          tensor({1, 3, 2}, {4, 0, 8, 4, 100, 100}), no_mask({2}), 1, cache);
  EXPECT_TRUE(near(output, {1, 1, 2}, {7, 3}, 1e-6));
}

// Head h is the h-th block of columns, as if it were alone.
TEST_F(Attention, EachHeadIsItsBlockOfColumns) {
  AttentionCache cache;
  const Tensor heads = split_heads(forward(masks[3], cache), kHeads);
  const Tensor queries = split_heads(query, kHeads), keys = split_heads(key, kHeads),
               values = split_heads(value, kHeads);
  for (Index h = 0; h < kHeads; ++h) {
    const auto block = [h](const Tensor& x) {  // [batch, heads, len, d] -> [batch, len, d]
      const Index batch = x.dim(0), heads_of_x = x.dim(1), size = x.dim(2) * x.dim(3);
      Tensor part({batch, x.dim(2), x.dim(3)});
      for (Index b = 0; b < batch; ++b)
        std::copy_n(x.data() + (b * heads_of_x + h) * size, size, part.mutable_data() + b * size);
      return part;
    };
    const Tensor alone = attention_forward(block(queries), block(keys), block(values), masks[3], 1, cache);
    EXPECT_TRUE(near(alone, block(heads), 1e-6)) << h;
  }
}

TEST_F(Attention, AMaskedPositionHasNoInfluence) {
  AttentionCache cache;
  const Tensor before = forward(masks[1], cache);
  for (Index j = 3; j < kKeyLen; ++j) {  // the padding of element 1
    std::fill_n(key.mutable_data() + (kKeyLen + j) * kHeads * kDk, kHeads * kDk, Real(1e6));
    std::fill_n(value.mutable_data() + (kKeyLen + j) * kHeads * kDv, kHeads * kDv, Real(1e6));
  }
  EXPECT_TRUE(same_bits(forward(masks[1], cache), before));
}

TEST_F(Attention, AFullyMaskedQueryGetsZerosAndGivesZeros) {
  AttentionCache cache;
  const Tensor output = forward(masks[1], cache);
  const AttentionGradients grad = attention_backward(random_tensor(output.shape(), 4), cache);
  // Element 2 has no keys.
  for (Index i = 0; i < kQueryLen; ++i) {
    for (Index d = 0; d < kHeads * kDv; ++d) EXPECT_EQ(output.at({2, i, d}), 0);
    for (Index d = 0; d < kHeads * kDk; ++d) EXPECT_EQ(grad.query.at({2, i, d}), 0);
  }
  for (Index j = 0; j < kKeyLen; ++j) {
    for (Index d = 0; d < kHeads * kDk; ++d) EXPECT_EQ(grad.key.at({2, j, d}), 0);
    for (Index d = 0; d < kHeads * kDv; ++d) EXPECT_EQ(grad.value.at({2, j, d}), 0);
  }
}

TEST_F(Attention, AMaskedPositionGetsNoGradient) {
  AttentionCache cache;
  const Tensor output = forward(masks[3], cache);
  const AttentionGradients grad = attention_backward(random_tensor(output.shape(), 4), cache);
  for (Index b = 0; b < kBatch; ++b) {
    // Padding, or after every query.
    for (Index j = std::min(masks[3].key_lengths[b], kQueryLen); j < kKeyLen; ++j) {
      for (Index d = 0; d < kHeads * kDk; ++d) EXPECT_EQ(grad.key.at({b, j, d}), 0);
      for (Index d = 0; d < kHeads * kDv; ++d) EXPECT_EQ(grad.value.at({b, j, d}), 0);
    }
  }
}

// Scores 0, 1000, ..., 199000: each tile of the fast way brings a far larger one.
TEST_F(Attention, ScoresFarApartDoNotOverflow) {
  Tensor numbers({1, 200, 1});
  for (Index i = 0; i < 200; ++i) numbers.mutable_data()[i] = static_cast<Real>(i);
  EXPECT_TRUE(near(attend(tensor({1, 1, 1}, {1000}), numbers, numbers), {1, 1, 1}, {199}, 1e-6));
}

TEST_F(Attention, ThePlainWayKeepsTheSplitHeadsAndTheirWeights) {
  const AttentionCache cache = plain_attention(query, key, value, masks[0], kHeads);
  EXPECT_EQ(cache.way, Way::kPlain);
  EXPECT_TRUE(same_bits(cache.query, split_heads(query, kHeads)));
  EXPECT_TRUE(same_bits(cache.key, split_heads(key, kHeads)));
  EXPECT_TRUE(same_bits(cache.value, split_heads(value, kHeads)));
}

TEST_F(Attention, BackwardGoesTheWayOfItsForward) {
  const Tensor grad_output = random_tensor({kBatch, kQueryLen, kHeads * kDv}, 4);
  for (const std::string way : {"attention", "none"}) {
    const std::string other = way == "none" ? "attention" : "none";
    AttentionCache cache;
    AttentionGradients expected;
    {
      const WaysInScope chosen(plain_ways(way, "test"));
      forward(masks[3], cache);
      expected = attention_backward(grad_output, cache);
    }
    const WaysInScope chosen(plain_ways(other, "test"));
    const AttentionGradients grad = attention_backward(grad_output, cache);
    EXPECT_TRUE(same_bits(grad.query, expected.query)) << way;
    EXPECT_TRUE(same_bits(grad.key, expected.key)) << way;
    EXPECT_TRUE(same_bits(grad.value, expected.value)) << way;
  }
}

TEST_F(Attention, RefusesShapesThatDoNotFit) {
  AttentionCache cache;
  const auto attend_with = [&](const Tensor& q, const Tensor& k, const Tensor& v, Index heads) {
    attention_forward(q, k, v, masks[0], heads, cache);
  };
  EXPECT_NO_THROW(attend_with(query, key, value, kHeads));
  for (const Index heads : {0, -2, 5, 8}) {
    EXPECT_THROW(attend_with(query, key, value, heads), std::logic_error) << heads;
  }
  EXPECT_THROW(attend_with(random_tensor({kQueryLen, kBatch, 8}, 1), key, value, kHeads), std::logic_error);
  EXPECT_THROW(attend_with(query, Tensor({kBatch, kKeyLen, 10}), value, kHeads), std::logic_error);
  EXPECT_THROW(attend_with(query, key, Tensor({kBatch, kKeyLen + 1, 12}), kHeads), std::logic_error);
  EXPECT_THROW(attention_forward(query, key, value, no_mask({7, 7}), kHeads, cache), std::logic_error);
  const std::string message = thrown_message<std::logic_error>([&] {
    attend_with(query, Tensor({kBatch, kKeyLen, 6}), value, kHeads);
  });
  EXPECT_NE(message.find("key: expected [batch=3, key_len=7, heads * d_k=8], got [3, 7, 6]"),
            std::string::npos)
      << message;
}

TEST_F(Attention, RefusesAGradientOfAnotherShape) {
  AttentionCache cache;
  forward(masks[0], cache);
  EXPECT_THROW(attention_backward(Tensor::zeros({kQueryLen, kBatch, kHeads * kDv}), cache), std::logic_error);
  EXPECT_THROW(attention_backward(Tensor::zeros({kBatch, kQueryLen, kHeads * kDk}), cache), std::logic_error);
}

TEST_F(Attention, BackwardSaysWhatIsMissingInAPlainCache) {
  const Tensor x = random_tensor({1, 3, 4}, 1);
  AttentionCache sound;
  const WaysInScope chosen(plain_ways("attention", "test"));
  const Tensor grad = attention_forward(x, x, x, no_mask({3}), 2, sound);
  const auto says = [&](const AttentionCache& cache, const std::string& text) {
    const std::string message = thrown_message<std::logic_error>([&] { attention_backward(grad, cache); });
    return message.find(text) == std::string::npos ? "it says " + message : std::string();
  };
  AttentionCache no_way = sound, no_heads = sound, no_counts = sound, no_weights = sound;
  no_way.way = Way::kFast;
  no_heads.heads = 1;
  no_counts.visible_keys.clear();
  no_weights.weights = {};
  EXPECT_EQ(says(no_way, "attention_forward left kFast in cache.way beside a cache.query of 4 axes"), "");
  EXPECT_EQ(says(no_heads, "left 1 in cache.heads, and cache.query has 2"), "");
  EXPECT_EQ(says(no_counts, "left 0 counts in cache.visible_keys, for 6 rows"), "");
  EXPECT_EQ(says(no_weights, "cache.weights: expected [batch=1, heads=2"), "");
}

GRADIENT_TEST(AttentionGradient, OfQueryKeyAndValue) {
  Tensor query = random_tensor({3, 5, 8}, 1), key = random_tensor({3, 7, 8}, 2);
  Tensor value = random_tensor({3, 7, 12}, 3);
  const Tensor grad_output = random_tensor({3, 5, 12}, 4);
  for (bool causal : {false, true}) {
    const AttentionMask mask = {.key_lengths = {7, 3, 0}, .causal = causal};
    AttentionCache cache;
    attention_forward(query, key, value, mask, 2, cache);
    const AttentionGradients grad = attention_backward(grad_output, cache);
    const auto loss = [&] {
      AttentionCache unused;
      return dot(grad_output, attention_forward(query, key, value, mask, 2, unused));
    };
    EXPECT_TRUE(gradients_agree(
        loss, {{"query", &query, grad.query}, {"key", &key, grad.key}, {"value", &value, grad.value}}))
        << (causal ? "causal" : "padding only");
  }
}

}  // namespace
}  // namespace plainformer
