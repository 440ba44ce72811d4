#include "beyond/linear_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/thread_pool.h"
#include "support/attention.h"
#include "support/attention_fixture.h"
#include "support/gradient_check.h"
#include "support/tensors.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

AttentionMask seeing_all(Index keys) {
  return {.key_lengths = {keys}, .causal = false};
}

Tensor attend(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
              Index heads = 1) {
  LinearAttentionCache cache;
  return linear_attention_forward(query, key, value, mask, heads, cache);
}

double phi(double x) {
  return x > 0 ? x + 1 : std::exp(x);
}

// The definition, pair by pair: the weights of the values are the scores divided by their sum.
Tensor pair_by_pair(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                    Index heads) {
  const Index query_len = query.dim(1), d_k = query.dim(2) / heads, d_v = value.dim(2) / heads;
  Tensor output = Tensor::zeros({query.dim(0), query_len, value.dim(2)});
  Real* to = output.mutable_data();
  for (Index b = 0; b < mask.batch(); ++b)
    for (Index i = 0; i < query_len; ++i)
      for (Index h = 0; h < heads; ++h, to += d_v) {
        std::vector<double> sums(d_v);
        double weights = 0;
        for (Index j = 0; j < mask.visible_keys(b, i); ++j) {
          double score = 0;
          for (Index p = 0; p < d_k; ++p)
            score += phi(query.at({b, i, h * d_k + p})) * phi(key.at({b, j, h * d_k + p}));
          weights += score;
          for (Index c = 0; c < d_v; ++c) sums[c] += score * value.at({b, j, h * d_v + c});
        }
        for (Index c = 0; c < d_v; ++c) to[c] = static_cast<Real>(weights > 0 ? sums[c] / weights : 0);
      }
  return output;
}

// 猫 [1 2], 在 [3 4], 桌子 [5 6], 上 [7 8], 睡觉 [9 10], that attend to each other. phi adds 1 to each number.
//   S = [190 220; 215 250], z = [30 35]
// 猫 has phi(q) = [2 3], so its numerator is [1025 1190] and its denominator 2 * 30 + 3 * 35 = 165.
class LinearFiveWords : public testing::Test {
 protected:
  const Tensor words = tensor({1, 5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
};

TEST_F(LinearFiveWords, SeeAllWords) {
  const Tensor output = attend(words, words, words, seeing_all(5));
  EXPECT_NEAR(output.at({0, 0, 0}), 1025.0 / 165, 1e-5);
  EXPECT_NEAR(output.at({0, 0, 1}), 1190.0 / 165, 1e-5);
  // 睡觉, phi(q) = [10 11]: (10 * 190 + 11 * 215) / (10 * 30 + 11 * 35)
  EXPECT_NEAR(output.at({0, 4, 0}), 4265.0 / 685, 1e-5);
}

// Alone, 猫 gets its own value. 在, phi(q) = [4 5], has the scores 23 and 41: (23 * 1 + 41 * 3) / 64.
TEST_F(LinearFiveWords, SeeTheWordsBefore) {
  const Tensor output = attend(words, words, words, {.key_lengths = {5}, .causal = true});
  EXPECT_NEAR(output.at({0, 0, 0}), 1, 1e-6);
  EXPECT_NEAR(output.at({0, 0, 1}), 2, 1e-6);
  EXPECT_NEAR(output.at({0, 1, 0}), 146.0 / 64, 1e-6);
  EXPECT_NEAR(output.at({0, 1, 1}), 210.0 / 64, 1e-6);
  EXPECT_NEAR(output.at({0, 4, 0}), 4265.0 / 685, 1e-5);
}

// phi(0) = 1 and phi(2) = 3: weights 1/4 and 3/4. The third key is not seen. Negative numbers: phi(-ln 2) =
// 1/2.
TEST(LinearAttention, AveragesTheVisibleValues) {
  const Tensor value = tensor({1, 3, 2}, {4, 0, 8, 4, 100, 100});
  EXPECT_TRUE(near(attend(tensor({1, 1, 1}, {5}), tensor({1, 3, 1}, {0, 2, 9}), value, seeing_all(2)),
                   {1, 1, 2}, {7, 3}, 1e-6));
  EXPECT_TRUE(
      near(attend(tensor({1, 1, 1}, {-5}), tensor({1, 3, 1}, {-std::log(2.0), 0.5, 9}), value, seeing_all(2)),
           {1, 1, 2}, {7, 3}, 1e-5));
}

class LinearAttentionOfAll : public RandomAttention {};

TEST_F(LinearAttentionOfAll, IsItsDefinitionPairByPair) {
  for (const AttentionMask& mask : masks)
    EXPECT_TRUE(
        near(attend(query, key, value, mask, kHeads), pair_by_pair(query, key, value, mask, kHeads), 1e-5));
}

// Longer than several chunks of the fast way, in both directions and with more queries than keys.
TEST(LinearAttention, IsItsDefinitionOverManyChunks) {
  const std::pair<Index, Index> lengths[] = {{200, 151}, {130, 213}, {64, 64}, {65, 129}};
  for (const auto& [query_len, key_len] : lengths) {
    const Tensor query = random_tensor({2, query_len, 6}, 1), key = random_tensor({2, key_len, 6}, 2);
    const Tensor value = random_tensor({2, key_len, 10}, 3);
    for (const bool causal : {false, true}) {
      const AttentionMask mask = {.key_lengths = {key_len, 70 % (key_len + 1)}, .causal = causal};
      EXPECT_TRUE(near(attend(query, key, value, mask, 2), pair_by_pair(query, key, value, mask, 2), 1e-5))
          << query_len << " queries, " << key_len << " keys, causal " << causal;
    }
  }
}

TEST_F(LinearAttentionOfAll, AMaskedPositionHasNoInfluence) {
  const Tensor before = attend(query, key, value, masks[1], kHeads);
  for (Index j = 3; j < kKeyLen; ++j) {  // the padding of element 1
    std::fill_n(key.mutable_data() + (kKeyLen + j) * kHeads * kDk, kHeads * kDk, Real(1e6));
    std::fill_n(value.mutable_data() + (kKeyLen + j) * kHeads * kDv, kHeads * kDv, Real(1e6));
  }
  EXPECT_TRUE(same_bits(attend(query, key, value, masks[1], kHeads), before));
}

TEST_F(LinearAttentionOfAll, AMaskedPositionGetsNoGradient) {
  LinearAttentionCache cache;
  const Tensor output = linear_attention_forward(query, key, value, masks[3], kHeads, cache);
  const AttentionGradients grad = linear_attention_backward(random_tensor(output.shape(), 4), cache);
  for (Index b = 0; b < kBatch; ++b) {
    // Padding, or after every query.
    for (Index j = std::min(masks[3].key_lengths[b], kQueryLen); j < kKeyLen; ++j) {
      for (Index d = 0; d < kHeads * kDk; ++d) EXPECT_EQ(grad.key.at({b, j, d}), 0);
      for (Index d = 0; d < kHeads * kDv; ++d) EXPECT_EQ(grad.value.at({b, j, d}), 0);
    }
  }
  for (Index i = 0; i < kQueryLen; ++i) {  // element 2 has no keys
    for (Index d = 0; d < kHeads * kDv; ++d) EXPECT_EQ(output.at({2, i, d}), 0);
    for (Index d = 0; d < kHeads * kDk; ++d) EXPECT_EQ(grad.query.at({2, i, d}), 0);
  }
}

TEST_F(LinearAttentionOfAll, BackwardGoesTheWayOfItsForward) {
  const Tensor grad_output = random_tensor({kBatch, kQueryLen, kHeads * kDv}, 4);
  for (const std::string way : {"attention", "none"}) {
    LinearAttentionCache cache;
    AttentionGradients expected;
    {
      const WaysInScope chosen(plain_ways(way, "test"));
      linear_attention_forward(query, key, value, masks[3], kHeads, cache);
      expected = linear_attention_backward(grad_output, cache);
    }
    const WaysInScope chosen(plain_ways(way == "none" ? "attention" : "none", "test"));
    const AttentionGradients grad = linear_attention_backward(grad_output, cache);
    EXPECT_TRUE(same_bits(grad.query, expected.query)) << way;
    EXPECT_TRUE(same_bits(grad.key, expected.key)) << way;
    EXPECT_TRUE(same_bits(grad.value, expected.value)) << way;
  }
}

struct Pass {
  Tensor output;
  AttentionGradients grad;
};

Pass pass_over(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
               const Tensor& grad_output) {
  LinearAttentionCache cache;
  Pass pass;
  pass.output = linear_attention_forward(query, key, value, mask, 2, cache);
  pass.grad = linear_attention_backward(grad_output, cache);
  return pass;
}

// Over several chunks, the fast backward agrees with the plain one, which the gradient check below verifies.
TEST(LinearAttention, BothWaysAgree) {
  const Tensor query = random_tensor({3, 150, 6}, 1), key = random_tensor({3, 201, 6}, 2);
  const Tensor value = random_tensor({3, 201, 10}, 3), grad_output = random_tensor({3, 150, 10}, 4);
  for (const bool causal : {false, true}) {
    const AttentionMask mask = {.key_lengths = {201, 99, 0}, .causal = causal};
    Pass plain, fast;
    {
      const WaysInScope chosen(plain_ways("attention", "test"));
      plain = pass_over(query, key, value, mask, grad_output);
    }
    {
      const WaysInScope chosen(plain_ways("none", "test"));
      fast = pass_over(query, key, value, mask, grad_output);
    }
    EXPECT_TRUE(near(fast.output, plain.output, 1e-5));
    EXPECT_TRUE(near(fast.grad.query, plain.grad.query, 1e-4));
    EXPECT_TRUE(near(fast.grad.key, plain.grad.key, 1e-4));
    EXPECT_TRUE(near(fast.grad.value, plain.grad.value, 1e-4));
  }
}

// phi of a very negative query underflows, and so do its products with the keys.
TEST(LinearAttention, AQueryWhosePhiUnderflowsHasOutput0AndNoGradient) {
  const Tensor key = random_tensor({1, 3, 2}, 1), value = random_tensor({1, 3, 2}, 2);
  const Tensor grad_output = random_tensor({1, 3, 2}, 3);
  const Tensor query = tensor({1, 3, 2}, {-2000, -2000, -2000, -3000, -4000, -2000});
  for (const char* names : {"attention", "none"}) {
    const WaysInScope chosen(plain_ways(names, "test"));
    const Pass pass = pass_over(query, key, value, seeing_all(3), grad_output);
    for (const Tensor& x : {pass.output, pass.grad.query, pass.grad.key, pass.grad.value})
      EXPECT_TRUE(same_bits(x, Tensor::zeros(x.shape()))) << names;
  }
}

// So small a denominator has no inverse.
TEST(LinearAttention, ASubnormalDenominatorCountsAs0) {
  const Real low = std::log(std::numeric_limits<Real>::min()) - 3;
  const Tensor query = tensor({1, 1, 2}, {low, low}), key = tensor({1, 1, 2}, {0, 0}),
               value = tensor({1, 1, 2}, {1, 1});
  for (const char* names : {"attention", "none"}) {
    const WaysInScope chosen(plain_ways(names, "test"));
    const Pass pass = pass_over(query, key, value, seeing_all(1), value);
    EXPECT_EQ(pass.output(0), 0) << names;
    EXPECT_EQ(pass.grad.query(0), 0) << names;
  }
}

testing::AssertionResult same_pass(const Pass& x, const Pass& y) {
  if (!same_bits(x.output, y.output)) return testing::AssertionFailure() << "output";
  if (!same_bits(x.grad.query, y.grad.query)) return testing::AssertionFailure() << "gradient of the query";
  if (!same_bits(x.grad.key, y.grad.key)) return testing::AssertionFailure() << "gradient of the key";
  if (!same_bits(x.grad.value, y.grad.value)) return testing::AssertionFailure() << "gradient of the value";
  return testing::AssertionSuccess();
}

TEST(LinearAttention, AnyNumberOfThreadsGivesTheSameBits) {
  const int before = threads();
  const Tensor query = random_tensor({3, 150, 6}, 1), key = random_tensor({3, 150, 6}, 2);
  const Tensor value = random_tensor({3, 150, 10}, 3), grad_output = random_tensor({3, 150, 10}, 4);
  const AttentionMask mask = {.key_lengths = {150, 99, 70}, .causal = true};
  set_threads(1);
  const Pass expected = pass_over(query, key, value, mask, grad_output);
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    EXPECT_TRUE(same_pass(pass_over(query, key, value, mask, grad_output), expected)) << count;
  }
  set_threads(before);
}

// [batch, len, d] -> the first rows of one element, [1, count, d], or those rows followed by zeros.
Tensor rows_of(const Tensor& x, Index element, Index count, Index padded_count) {
  const Index d = x.dim(2);
  Tensor rows = Tensor::zeros({1, padded_count, d});
  std::copy_n(x.data() + element * x.dim(1) * d, count * d, rows.mutable_data());
  return rows;
}

// A sentence of 90 words alone, and padded to 170 beside a longer one.
TEST(LinearAttention, PaddingAndCompanyChangeNoBits) {
  const Index len = 90, padded = 170;
  const Tensor x = random_tensor({2, padded, 6}, 1), grad = random_tensor({2, padded, 6}, 2);
  Tensor padded_grad = grad;
  std::fill_n(padded_grad.mutable_data() + len * 6, (padded - len) * 6, Real{0});
  for (const bool causal : {false, true}) {
    const Tensor alone_x = rows_of(x, 0, len, len);
    const Pass alone = pass_over(alone_x, alone_x, alone_x, {.key_lengths = {len}, .causal = causal},
                                 rows_of(grad, 0, len, len));
    const Pass together = pass_over(x, x, x, {.key_lengths = {len, padded}, .causal = causal}, padded_grad);
    const Pass first = {rows_of(together.output, 0, len, len),
                        {rows_of(together.grad.query, 0, len, len), rows_of(together.grad.key, 0, len, len),
                         rows_of(together.grad.value, 0, len, len)}};
    EXPECT_TRUE(same_pass(first, alone)) << causal;
  }
}

// Twice as long, twice as large: no [query_len, key_len] and no sums of single queries.
TEST(LinearAttention, KeepsMemoryThatGrowsWithTheLength) {
  const auto elements = [](Index len) {
    const Tensor x = random_tensor({1, len, 6}, 1);
    LinearAttentionCache cache;
    linear_attention_forward(x, x, x, {.key_lengths = {len}, .causal = true}, 2, cache);
    return cache.query.size() + cache.key.size() + cache.value.size() + cache.output.size() +
           cache.denominators.size();
  };
  EXPECT_EQ(elements(100), 100 * (4 * 6 + 2));
  EXPECT_EQ(elements(200), 2 * elements(100));
}

TEST_F(LinearAttentionOfAll, RefusesShapesThatDoNotFit) {
  LinearAttentionCache cache;
  const auto attend_with = [&](const Tensor& q, const Tensor& k, const Tensor& v, Index heads) {
    linear_attention_forward(q, k, v, masks[0], heads, cache);
  };
  EXPECT_NO_THROW(attend_with(query, key, value, kHeads));
  EXPECT_THROW(attend_with(query, key, value, 0), std::logic_error);
  EXPECT_THROW(attend_with(query, key, value, 5), std::logic_error);
  EXPECT_THROW(attend_with(query, key, Tensor({kBatch, kKeyLen + 1, 12}), kHeads), std::logic_error);
  EXPECT_THROW(linear_attention_forward(query, key, value, {.key_lengths = {7, 8, 7}}, kHeads, cache),
               std::logic_error);
  attend_with(query, key, value, kHeads);
  EXPECT_THROW(linear_attention_backward(Tensor::zeros({kBatch, kQueryLen, kHeads * kDk}), cache),
               std::logic_error);
  const std::string message = thrown_message<std::logic_error>([&] {
    attend_with(query, Tensor({kBatch, kKeyLen, 6}), value, kHeads);
  });
  EXPECT_NE(message.find("key: expected [batch=3, key_len=7, heads * d_k=8], got [3, 7, 6]"),
            std::string::npos)
      << message;
}

GRADIENT_TEST(LinearAttentionGradient, OfQueryKeyAndValue) {
  Tensor query = random_tensor({3, 5, 8}, 1), key = random_tensor({3, 7, 8}, 2);
  Tensor value = random_tensor({3, 7, 12}, 3);
  const Tensor grad_output = random_tensor({3, 5, 12}, 4);
  for (bool causal : {false, true}) {
    const AttentionMask mask = {.key_lengths = {7, 3, 0}, .causal = causal};
    LinearAttentionCache cache;
    linear_attention_forward(query, key, value, mask, 2, cache);
    const AttentionGradients grad = linear_attention_backward(grad_output, cache);
    const auto loss = [&] { return dot(grad_output, attend(query, key, value, mask, 2)); };
    EXPECT_TRUE(gradients_agree(
        loss, {{"query", &query, grad.query}, {"key", &key, grad.key}, {"value", &value, grad.value}}))
        << (causal ? "causal" : "padding only");
  }
}

}  // namespace
}  // namespace plainformer
