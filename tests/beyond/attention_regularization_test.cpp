#include "beyond/attention_regularization.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/thread_pool.h"
#include "ops/scaled_dot_product_attention.h"
#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kBatch = 2, kHeads = 3, kQueryLen = 5, kKeyLen = 7, kDk = 4, kDv = 2;

AttentionRegularization regularization(double weights, double heads, double penalty) {
  return {.weight_dropout = static_cast<Real>(weights),
          .head_dropout = static_cast<Real>(heads),
          .penalty = static_cast<Real>(penalty),
          .query_lengths = {kQueryLen, 3},
          .weight_stream = random_stream(1, 2, 3),
          .head_stream = random_stream(1, 2, 4)};
}

class RegularizedAttentionTest : public testing::Test {
 protected:
  Tensor forward(const AttentionRegularization& regularization, AttentionCache& cache) const {
    return attention_forward(query, key, value, mask, kHeads, cache, hook_of(regularization));
  }
  Tensor forward(const AttentionRegularization& regularization) const {
    AttentionCache cache;
    return forward(regularization, cache);
  }

  Tensor query = random_tensor({kBatch, kQueryLen, kHeads* kDk}, 1);
  Tensor key = random_tensor({kBatch, kKeyLen, kHeads* kDk}, 2);
  Tensor value = random_tensor({kBatch, kKeyLen, kHeads* kDv}, 3);
  const AttentionMask mask = {.key_lengths = {7, 4}, .causal = true};
};

Ways way_of_attention(Way way) {
  return plain_ways(way == Way::kPlain ? "attention" : "none", "test");
}

class RegularizedAttention : public RegularizedAttentionTest, public testing::WithParamInterface<Way> {
 private:
  const WaysInScope in_scope_ = WaysInScope(way_of_attention(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(BothWays, RegularizedAttention, testing::Values(Way::kPlain, Way::kFast),
                         [](const auto& way) { return way.param == Way::kPlain ? "Plain" : "Fast"; });

TEST_P(RegularizedAttention, APenaltyAloneChangesNoOutput) {
  EXPECT_TRUE(near(forward(regularization(0, 0, 0.5)), forward(regularization(0, 0, 0)), 1e-5));
}

// With unit vectors as values, the output is the weights themselves.
TEST_P(RegularizedAttention, AWeightIsKeptAndScaledOrDropped) {
  constexpr Index kLen = 40;
  Tensor unit = Tensor::zeros({1, kLen, kLen});
  for (Index i = 0; i < kLen; ++i) unit.mutable_data()[i * kLen + i] = 1;
  AttentionCache cache;
  const Tensor same = Tensor::zeros({1, kLen, 3});
  const Tensor kept = attention_forward(same, same, unit, {.key_lengths = {kLen}}, 1, cache,
                                        hook_of(regularization(0.25, 0, 0)));
  int dropped = 0;
  for (Index e = 0; e < kept.size(); ++e) {
    EXPECT_NEAR(cache.weights.data()[e], 1.0 / kLen, 1e-6) << "the weights themselves stay";
    dropped += kept.data()[e] == 0;
    EXPECT_NEAR(kept.data()[e], kept.data()[e] == 0 ? 0 : 1.0 / kLen / 0.75, 1e-6);
  }
  EXPECT_NEAR(dropped / double(kLen * kLen), 0.25, 0.04);  // four standard deviations
}

TEST_P(RegularizedAttention, AHeadOfASentenceIsDroppedAsAWhole) {
  const Tensor whole = forward(regularization(0, 0, 0)), dropped = forward(regularization(0, 0.5, 0));
  int heads_dropped = 0;
  for (Index b = 0; b < kBatch; ++b) {
    for (Index h = 0; h < kHeads; ++h) {
      const bool is_dropped = dropped.at({b, 0, h * kDv}) == 0;
      heads_dropped += is_dropped;
      for (Index i = 0; i < kQueryLen; ++i)
        for (Index j = h * kDv; j < (h + 1) * kDv; ++j)
          EXPECT_NEAR(dropped.at({b, i, j}), is_dropped ? 0 : 2 * whole.at({b, i, j}), 1e-5);
    }
  }
  EXPECT_GT(heads_dropped, 0);
  EXPECT_LT(heads_dropped, kBatch * kHeads);
}

TEST_P(RegularizedAttention, ItsStreamsDecideWhatIsDropped) {
  AttentionRegularization other = regularization(0.3, 0, 0);
  const Tensor first = forward(other);
  EXPECT_TRUE(same_bits(forward(other), first));
  other.weight_stream = random_stream(1, 2, 5);
  EXPECT_FALSE(same_bits(forward(other), first));
}

TEST_F(RegularizedAttentionTest, BothWaysAgree) {
  const auto results = [&](Way way) {
    const WaysInScope in_scope(way_of_attention(way));
    AttentionCache cache;
    const Tensor output = forward(regularization(0.2, 0.3, 0.1), cache);
    EXPECT_EQ(cache.way, way);
    const AttentionGradients grad = attention_backward(random_tensor(output.shape(), 4), cache);
    return std::vector<Tensor>{output, cache.weights, grad.query, grad.key, grad.value};
  };
  const std::vector<Tensor> plain = results(Way::kPlain), fast = results(Way::kFast);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(near(plain[i], fast[i], 1e-5)) << i;
}

TEST_F(RegularizedAttentionTest, HasTheSameBitsForAnyNumberOfThreads) {
  const auto results = [&](int thread_count) {
    set_threads(thread_count);
    AttentionCache cache;
    const Tensor output = forward(regularization(0.2, 0.3, 0.1), cache);
    const AttentionGradients grad = attention_backward(random_tensor(output.shape(), 4), cache);
    return std::vector<Tensor>{output, grad.query, grad.key, grad.value};
  };
  const int before = threads();
  const std::vector<Tensor> one = results(1), three = results(3);
  set_threads(before);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(same_bits(one[i], three[i])) << i;
}

TEST_P(RegularizedAttention, MaskedKeysHaveNoWeightAndNoGradient) {
  AttentionCache cache;
  const Tensor output = attention_forward(query, key, value, {.key_lengths = {7, 0}}, kHeads, cache,
                                          hook_of(regularization(0.2, 0, 0.1)));
  const AttentionGradients grad = attention_backward(random_tensor(output.shape(), 4), cache);
  for (Index i = 0; i < kQueryLen; ++i) EXPECT_EQ(output.at({1, i, 0}), 0);
  for (Index j = 0; j < kKeyLen; ++j) {
    EXPECT_EQ(grad.key.at({1, j, 0}), 0);
    EXPECT_EQ(grad.value.at({1, j, 0}), 0);
  }
}

TEST_P(RegularizedAttention, QueriesOfPaddingHaveNoPenalty) {
  AttentionCache cache;
  const Tensor output = forward(regularization(0, 0, 0.5), cache);
  const AttentionGradients grad = attention_backward(Tensor::zeros(output.shape()), cache);
  EXPECT_NE(grad.query.at({1, 2, 0}), 0) << "the last query of three";
  for (Index i = 3; i < kQueryLen; ++i)
    for (Index j = 0; j < kHeads * kDk; ++j) EXPECT_EQ(grad.query.at({1, i, j}), 0);
}

TEST_P(RegularizedAttention, RefusesLengthsOfOtherQueries) {
  AttentionRegularization wrong = regularization(0, 0, 0.5);
  wrong.query_lengths = {kQueryLen};
  EXPECT_THROW(forward(wrong), std::logic_error);
  wrong.query_lengths = {kQueryLen, kQueryLen + 1};
  EXPECT_THROW(forward(wrong), std::logic_error);
}

TEST_P(RegularizedAttention, RefusesWhatIsNoProbability) {
  EXPECT_THROW(forward(regularization(1, 0, 0)), std::logic_error);
  EXPECT_THROW(forward(regularization(0.1, -0.5, 0)), std::logic_error);
  EXPECT_THROW(forward(regularization(0.1, 0, -1)), std::logic_error);
  EXPECT_THROW(forward(regularization(0, -0.5, 0)), std::logic_error);
  EXPECT_THROW(forward(regularization(0, 0, -1)), std::logic_error);
}

// The limit of 2^32 weights is that of their random numbers. Without regularization there are none. Here no query
// sees a key, so 2^33 scores take no time.
TEST(AttentionWithoutRegularization, MayHaveMoreWeightsThanAStreamHasNumbers) {
  constexpr Index kLen = 65536;
  const WaysInScope fast(way_of_attention(Way::kFast));
  const Tensor x = Tensor::zeros({1, kLen, 2});
  AttentionCache cache;
  EXPECT_EQ(attention_forward(x, x, x, {.key_lengths = {0}}, /*heads=*/2, cache)(0), 0);
}

// Leaves out the queries of padding.
double penalty_of(const AttentionRegularization& regularization, const AttentionCache& cache) {
  double sum = 0;
  for (Index s = 0; s < cache.weights.dim(0); ++s)
    for (Index h = 0; h < cache.weights.dim(1); ++h)
      for (Index i = 0; i < regularization.query_lengths[s]; ++i)
        for (Index j = 0; j < cache.weights.dim(3); ++j) {
          const double weight = cache.weights.at({s, h, i, j});
          sum += double(regularization.penalty) * weight * weight;
        }
  return sum;
}

// The loss is a random sum of the outputs, plus the penalty.
GRADIENT_TEST_F(RegularizedAttentionTest, Gradient) {
  for (const Way way : {Way::kPlain, Way::kFast})
    for (const auto& each : {regularization(0.3, 0, 0), regularization(0, 0.4, 0), regularization(0, 0, 0.7),
                             regularization(0.2, 0.3, 0.5)}) {
      const WaysInScope in_scope(way_of_attention(way));
      const Tensor grad_output = random_tensor({kBatch, kQueryLen, kHeads * kDv}, 4);
      AttentionCache cache;
      forward(each, cache);
      const AttentionGradients grad = attention_backward(grad_output, cache);
      const auto loss = [&] {
        AttentionCache again;
        const Tensor output = forward(each, again);
        return dot(output, grad_output) + penalty_of(each, again);
      };
      EXPECT_TRUE(gradients_agree(
          loss, {{"query", &query, grad.query}, {"key", &key, grad.key}, {"value", &value, grad.value}}));
    }
}

}  // namespace
}  // namespace plainformer
