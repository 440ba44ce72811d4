#include "beyond/neighbor_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/thread_pool.h"
#include "support/gradient_check.h"
#include "support/tensors.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

// Query 0 sees itself; the others themselves and the one before. Scores 0 and ln 3: weights 1/4 and 3/4.
TEST(NeighborAttention, AveragesTheValuesOfItsNeighbors) {
  NeighborAttentionCache cache;
  const double ln3 = std::log(3.0);
  const Tensor output =
      neighbor_attention_forward(tensor({1, 4, 1}, {1, 1, 1, 1}), tensor({1, 4, 1}, {0, ln3, 0, 0}),
                                 tensor({1, 4, 2}, {4, 0, 8, 4, 16, 8, 24, 0}),
                                 {.key_lengths = {4}, .neighbors = 2, .causal = true}, 1, cache);
  EXPECT_TRUE(near(output, {1, 4, 2}, {4, 0, 7, 3, 10, 5, 20, 4}, 1e-5));
}

// Position 0 is global, and all scores are 0: it averages all values, and the others the values of their
// window and its own.
TEST(NeighborAttention, AGlobalPositionSeesAllAndIsSeenByAll) {
  NeighborAttentionCache cache;
  const Tensor output = neighbor_attention_forward(
      Tensor::zeros({1, 5, 3}), Tensor::zeros({1, 5, 3}), tensor({1, 5, 1}, {10, 0, 20, 40, 80}),
      {.key_lengths = {5}, .neighbors = 1, .causal = false, .global = 1}, 1, cache);
  EXPECT_TRUE(near(output, {1, 5, 1}, {30, 5, 15, 25, 45}, 1e-5));
}

// Does position i see position j, by the definition?
bool sees(const NeighborMask& mask, Index element, Index i, Index j) {
  if (j >= mask.key_lengths[element] || (mask.causal && j > i)) return false;
  if (i < mask.global || j < mask.global) return true;
  return mask.causal ? i - j < mask.neighbors : std::abs(i - j) <= (mask.neighbors - 1) / 2;
}

// The definition, in double: equation (1) over the keys that are seen.
Tensor expected_output(const Tensor& q, const Tensor& k, const Tensor& v, const NeighborMask& mask,
                       Index heads) {
  const Index batch = q.dim(0), len = q.dim(1), d_k = q.dim(2) / heads, d_v = v.dim(2) / heads;
  std::vector<double> output(v.size(), 0.0);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < len; ++i) {
        std::vector<double> power(len, 0.0);
        double sum = 0;
        for (Index j = 0; j < len; ++j) {
          double score = 0;
          for (Index p = h * d_k; p < (h + 1) * d_k; ++p) score += double(q(b, i, p)) * double(k(b, j, p));
          if (sees(mask, b, i, j)) sum += power[j] = std::exp(score / std::sqrt(double(d_k)));
        }
        for (Index j = 0; j < len; ++j)
          for (Index p = h * d_v; p < (h + 1) * d_v && power[j] > 0; ++p)
            output[(b * len + i) * heads * d_v + p] += power[j] / sum * double(v(b, j, p));
      }
  return tensor(v.shape(), output);
}

// Longer than two blocks of the fast way, and pairwise different extents.
class NeighborAttentionTest : public testing::Test {
 protected:
  static constexpr Index kBatch = 4, kHeads = 2, kLen = 71, kDk = 5, kDv = 3;
  Tensor query = random_tensor({kBatch, kLen, kHeads* kDk}, 1);
  Tensor key = random_tensor({kBatch, kLen, kHeads* kDk}, 2);
  Tensor value = random_tensor({kBatch, kLen, kHeads* kDv}, 3);
  const Tensor grad_output = random_tensor({kBatch, kLen, kHeads* kDv}, 4);
  const std::vector<Index> lengths = {71, 40, 2, 0};
  const std::vector<NeighborMask> masks = {
      {.key_lengths = lengths, .neighbors = 1},
      {.key_lengths = lengths, .neighbors = 7},
      {.key_lengths = lengths, .neighbors = 6, .causal = true},
      {.key_lengths = lengths, .neighbors = 7, .causal = false, .global = 3},
      {.key_lengths = lengths, .neighbors = 39, .causal = true, .global = 5},
      {.key_lengths = lengths, .neighbors = 141, .causal = false, .global = 0},
      {.key_lengths = lengths, .neighbors = 3, .causal = false, .global = 100}};

  Tensor forward(const NeighborMask& mask, NeighborAttentionCache& cache) const {
    return neighbor_attention_forward(query, key, value, mask, kHeads, cache);
  }
  // Output and gradients.
  std::vector<Tensor> run(const NeighborMask& mask) const {
    NeighborAttentionCache cache;
    const Tensor output = forward(mask, cache);
    const AttentionGradients grad = neighbor_attention_backward(grad_output, cache);
    return {output, grad.query, grad.key, grad.value};
  }
};

TEST_F(NeighborAttentionTest, IsEquation1OverTheVisibleKeys) {
  for (std::size_t m = 0; m < masks.size(); ++m) {
    NeighborAttentionCache cache;
    EXPECT_TRUE(near(forward(masks[m], cache), expected_output(query, key, value, masks[m], kHeads), 1e-5))
        << m;
  }
}

TEST_F(NeighborAttentionTest, WithAWindowOverAllItIsFullSelfAttention) {
  for (const bool causal : {false, true}) {
    const NeighborMask mask = {.key_lengths = lengths, .neighbors = 2 * kLen - 1, .causal = causal};
    AttentionCache cache;
    const Tensor output = attention_forward(query, key, value, {lengths, causal}, kHeads, cache);
    const AttentionGradients grad = attention_backward(grad_output, cache);
    const std::vector<Tensor> expected = {output, grad.query, grad.key, grad.value}, actual = run(mask);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(near(actual[i], expected[i], 2e-5)) << causal << i;
  }
}

TEST_F(NeighborAttentionTest, BothWaysAgree) {
  for (std::size_t m = 0; m < masks.size(); ++m) {
    std::vector<Tensor> plain, fast;
    {
      const WaysInScope chosen(plain_ways("all", "test"));
      plain = run(masks[m]);
    }
    const WaysInScope chosen(plain_ways("none", "test"));
    fast = run(masks[m]);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(near(fast[i], plain[i], 2e-5)) << m << i;
  }
}

TEST_F(NeighborAttentionTest, APositionThatIsNotSeenHasNoInfluence) {
  const NeighborMask& mask = masks[1];
  NeighborAttentionCache cache;
  const Tensor before = forward(mask, cache);
  const auto change = [](Tensor& x, Index element, Index i) {
    std::fill_n(x.mutable_data() + (element * kLen + i) * x.dim(2), x.dim(2), Real(1e6));
  };
  for (Tensor* x : {&key, &value}) {
    change(*x, 0, 35);                                   // seen by 32 to 38
    for (Index i = 40; i < kLen; ++i) change(*x, 1, i);  // padding
  }
  const Tensor after = forward(mask, cache);
  for (Index b = 0; b < kBatch; ++b)
    for (Index i = 0; i < kLen; ++i) {
      bool same = true;
      for (Index p = 0; p < kHeads * kDv; ++p) same = same && before.at({b, i, p}) == after.at({b, i, p});
      EXPECT_EQ(same, !(b == 0 && i >= 32 && i <= 38)) << b << " " << i;
    }
}

TEST_F(NeighborAttentionTest, AQueryThatSeesNoKeyGetsZerosAndGivesZeros) {
  for (const NeighborMask& mask : masks)
    for (const Tensor& result : run(mask))
      for (Index i = 0; i < kLen; ++i)
        for (Index p = 0; p < result.dim(2); ++p) EXPECT_EQ(result.at({3, i, p}), 0);
}

TEST_F(NeighborAttentionTest, SameBitsForAnyNumberOfThreads) {
  const int before = threads();
  for (const std::size_t m : {1u, 4u}) {
    set_threads(1);
    const std::vector<Tensor> expected = run(masks[m]);
    for (const int count : {2, 3, 7}) {
      set_threads(count);
      const std::vector<Tensor> actual = run(masks[m]);
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(same_bits(actual[i], expected[i])) << m << count << i;
    }
  }
  set_threads(before);
}

// Element 1 alone, without its padding.
TEST_F(NeighborAttentionTest, ASentenceDoesNotDependOnItsBatch) {
  const auto alone = [&](const Tensor& x) {
    Tensor part({1, 40, x.dim(2)});
    std::copy_n(x.data() + kLen * x.dim(2), part.size(), part.mutable_data());
    return part;
  };
  for (NeighborMask mask : masks) {
    NeighborAttentionCache cache;
    const Tensor together = forward(mask, cache);
    mask.key_lengths = {40};
    EXPECT_TRUE(
        same_bits(neighbor_attention_forward(alone(query), alone(key), alone(value), mask, kHeads, cache),
                  alone(together)));
  }
}

TEST_F(NeighborAttentionTest, TheCacheGrowsWithTheLengthAndNotWithItsSquare) {
  for (const std::string way : {"all", "none"}) {
    const WaysInScope chosen(plain_ways(way, "test"));
    const auto elements = [](Index len) {
      const Tensor x = random_tensor({1, len, 4}, 1);
      NeighborAttentionCache cache;
      neighbor_attention_forward(
          x, x, x, {.key_lengths = {len}, .neighbors = 5, .causal = false, .global = 2}, 2, cache);
      Index sum = 0;
      for (const Tensor& kept : {cache.query, cache.key, cache.value, cache.weights, cache.output,
                                 cache.log_sums, cache.global.weights, cache.global.key})
        sum += kept.size();
      return double(sum);
    };
    EXPECT_NEAR(elements(512) / elements(256), 2, 0.02) << way;
  }
}

TEST_F(NeighborAttentionTest, BackwardGoesTheWayOfItsForward) {
  for (const std::string way : {"all", "none"}) {
    const WaysInScope chosen(plain_ways(way, "test"));
    const std::vector<Tensor> expected = run(masks[4]);
    NeighborAttentionCache cache;
    forward(masks[4], cache);
    const WaysInScope other(plain_ways(way == "none" ? "all" : "none", "test"));
    EXPECT_TRUE(same_bits(neighbor_attention_backward(grad_output, cache).key, expected[2])) << way;
  }
}

TEST_F(NeighborAttentionTest, RefusesWindowsAndShapesThatDoNotFit) {
  NeighborAttentionCache cache;
  const auto complaint = [&](const NeighborMask& mask, const Tensor& k, Index heads) {
    return thrown_message<std::logic_error>(
        [&] { neighbor_attention_forward(query, k, value, mask, heads, cache); });
  };
  EXPECT_EQ(complaint(masks[1], key, kHeads), "");
  EXPECT_NE(complaint({.key_lengths = lengths, .neighbors = 4}, key, kHeads)
                .find("a window of 4 neighbors cannot be centered"),
            std::string::npos);
  for (const NeighborMask& wrong :
       {NeighborMask{.key_lengths = lengths, .neighbors = 0, .causal = true},
        NeighborMask{.key_lengths = lengths, .neighbors = 3, .causal = true, .global = -1},
        NeighborMask{.key_lengths = {72, 1, 1, 1}, .neighbors = 3},
        NeighborMask{.key_lengths = {71, 71, 71}}})
    EXPECT_NE(complaint(wrong, key, kHeads), "");
  EXPECT_NE(complaint(masks[1], key, 3), "");
  EXPECT_NE(complaint(masks[1], random_tensor({kBatch, kLen + 1, 10}, 1), kHeads)
                .find("key: expected [batch=4, len=71, heads * d_k=10], got [4, 72, 10]"),
            std::string::npos);
  forward(masks[1], cache);
  EXPECT_THROW(neighbor_attention_backward(query, cache), std::logic_error);
}

GRADIENT_TEST(NeighborAttentionGradient, OfQueryKeyAndValue) {
  Tensor query = random_tensor({3, 7, 10}, 1), key = random_tensor({3, 7, 10}, 2);
  Tensor value = random_tensor({3, 7, 6}, 3);
  const Tensor grad_output = random_tensor({3, 7, 6}, 4);
  for (const bool causal : {false, true})
    for (const Index global : {0, 2}) {
      const NeighborMask mask = {
          .key_lengths = {7, 4, 0}, .neighbors = 3, .causal = causal, .global = global};
      NeighborAttentionCache cache;
      neighbor_attention_forward(query, key, value, mask, 2, cache);
      const AttentionGradients grad = neighbor_attention_backward(grad_output, cache);
      const auto loss = [&] {
        NeighborAttentionCache unused;
        return dot(grad_output, neighbor_attention_forward(query, key, value, mask, 2, unused));
      };
      EXPECT_TRUE(gradients_agree(
          loss, {{"query", &query, grad.query}, {"key", &key, grad.key}, {"value", &value, grad.value}}))
          << causal << global;
    }
}

}  // namespace
}  // namespace plainformer
