// The fast way of equation (1), tile by tile, against the plain way.
#include "ops/fast/scaled_dot_product_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "ops/ways.h"
#include "support/attention.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// How large a problem is. Each element of a batch has three keys fewer than the one before.
struct Case {
  Index batch, query_len, key_len, heads, d_k, d_v;
  bool causal;

  AttentionMask mask() const {
    AttentionMask mask = {.key_lengths = {}, .causal = causal};
    for (Index element = 0; element < batch; ++element)
      mask.key_lengths.push_back(std::max<Index>(0, key_len - 3 * element));
    return mask;
  }
};

// Sizes below, at and beyond the tiles of rows (some thirty) and of columns (128).
const Case kCases[] = {{2, 3, 5, 2, 7, 4, false},      {3, 7, 7, 1, 5, 5, true},
                       {2, 33, 33, 3, 16, 17, true},   {1, 65, 129, 2, 8, 32, false},
                       {2, 130, 300, 1, 33, 9, false}, {2, 290, 290, 2, 16, 16, true}};

struct Result {
  Tensor output;
  AttentionGradients grad;
};

Result run(const std::string& plain, const Case& c, const AttentionMask& mask) {
  const WaysInScope chosen(plain_ways(plain, "test"));
  const Tensor query = random_tensor({c.batch, c.query_len, c.heads * c.d_k}, 1);
  const Tensor key = random_tensor({c.batch, c.key_len, c.heads * c.d_k}, 2);
  const Tensor value = random_tensor({c.batch, c.key_len, c.heads * c.d_v}, 3);
  const Tensor grad_output = random_tensor({c.batch, c.query_len, c.heads * c.d_v}, 4);
  const MultiHeadAttention heads = heads_of(c.heads, query, value);
  MultiHeadAttention::Cache cache;
  const Tensor output = heads.attend(query, key, value, mask, cache);
  return {output, heads.attend_backward(grad_output, cache)};
}

void expect_equal_ways(const Case& c, const AttentionMask& mask) {
  SCOPED_TRACE(testing::Message() << "query_len " << c.query_len << " key_len " << c.key_len << " d_k "
                                  << c.d_k << " d_v " << c.d_v);
  const Result fast = run("none", c, mask), plain = run("all", c, mask);
  EXPECT_TRUE(near(fast.output, plain.output, 1e-5));
  EXPECT_TRUE(near(fast.grad.q, plain.grad.q, 2e-5));
  EXPECT_TRUE(near(fast.grad.k, plain.grad.k, 2e-5));
  EXPECT_TRUE(near(fast.grad.v, plain.grad.v, 2e-5));
}

TEST(FastAttention, EqualsThePlainWay) {
  for (const Case& c : kCases) expect_equal_ways(c, c.mask());
  const Case even = {3, 7, 9, 2, 5, 5, false}, square = {3, 8, 8, 2, 5, 5, true};
  expect_equal_ways(even, {{9, 9, 9}, false});
  expect_equal_ways(even, {{9, 4, 0}, false});
  expect_equal_ways(square, {{8, 8, 8}, true});
  expect_equal_ways(square, {{8, 3, 1}, true});
  expect_equal_ways({3, 150, 150, 2, 5, 5, true}, {{150, 131, 70}, true});
}

// What the fast way keeps.
class FastAttentionCache : public testing::Test {
 protected:
  fast::AttentionCache cache;
};

TEST_F(FastAttentionCache, KeepsNoMatrixOfWeights) {
  const Index len = 64;
  const Tensor x = random_tensor({3, len, 10}, 1);
  fast::attention_forward(x, x, x, {{len, len, len}, true}, 2, cache);
  for (const Tensor* kept : {&cache.query, &cache.key, &cache.value, &cache.output, &cache.log_sums}) {
    EXPECT_LE(kept->size(), x.size()) << kept->shape().to_string();
  }
  EXPECT_EQ(cache.visible_keys.size(), std::size_t(3 * len));
  for (const Tensor* kept : {&cache.query, &cache.key, &cache.value}) EXPECT_EQ(kept->data(), x.data());
}

TEST_F(FastAttentionCache, NeverReadsWhatNobodySees) {
  Tensor key = random_tensor({1, 40, 4}, 1), value = random_tensor({1, 40, 4}, 2);
  const Tensor query = random_tensor({1, 2, 4}, 3);
  const AttentionMask mask = {.key_lengths = {35}};
  const Tensor output = fast::attention_forward(query, key, value, mask, 2, cache);
  std::fill_n(key.mutable_data() + 35 * 4, 5 * 4, std::numeric_limits<Real>::quiet_NaN());
  std::fill_n(value.mutable_data() + 35 * 4, 5 * 4, std::numeric_limits<Real>::quiet_NaN());
  EXPECT_TRUE(same_bits(fast::attention_forward(query, key, value, mask, 2, cache), output));
}

TEST_F(FastAttentionCache, RefusesShapesThatDoNotFit) {
  const Tensor query({2, 3, 8}), key({2, 5, 8}), value({2, 5, 12});
  const AttentionMask mask = {.key_lengths = {5, 4}};
  const auto attend = [&](const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& m,
                          Index heads) { fast::attention_forward(q, k, v, m, heads, cache); };
  EXPECT_NO_THROW(attend(Tensor::zeros({2, 3, 8}), key, value, mask, 4));
  for (const Index heads : {0, -2, 5, 8})
    EXPECT_THROW(attend(query, key, value, mask, heads), std::logic_error);
  EXPECT_THROW(attend(Tensor({3, 3, 8}), key, value, mask, 4), std::logic_error);
  EXPECT_THROW(attend(query, Tensor({2, 5, 12}), value, mask, 4), std::logic_error);
  EXPECT_THROW(attend(query, key, Tensor({2, 6, 12}), mask, 4), std::logic_error);
  EXPECT_THROW(attend(query, key, value, {.key_lengths = {5, 6}}, 4), std::logic_error);
}

// Eight sentences of six tokens with two heads: twice a batch of the preset nano, which has 24 tokens.
TEST(FastAttention, WakesNoThreadForAFewSmallHeads) {
  EXPECT_GE(fast::head_grain(6 * 6 * (4 + 4)), 8 * 2);
  EXPECT_EQ(fast::head_grain(64 * 64 * (64 + 64)), 1);
}

}  // namespace
}  // namespace plainformer
