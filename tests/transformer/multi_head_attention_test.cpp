#include "transformer/multi_head_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/ways.h"
#include "support/attention.h"
#include "support/gradient_check.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

// [batch, len, d_model] -> head's block of columns, [batch, len, d_k].
Tensor columns_of_head(const Tensor& x, Index head, Index d_k) {
  const Index batch = x.dim(0), len = x.dim(1);
  Tensor block({batch, len, d_k});
  Real* to = block.mutable_data();
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index d = 0; d < d_k; ++d) *to++ = x.at({b, i, head * d_k + d});
  return block;
}

// x W, in the plainest loops.
Tensor times(const Tensor& x, const Parameter& w) {
  const Index batch = x.dim(0), len = x.dim(1), in = x.dim(2), out = w.value.dim(1);
  Tensor y({batch, len, out});
  Real* to = y.mutable_data();
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < len; ++i)
      for (Index j = 0; j < out; ++j) {
        double sum = 0;
        for (Index p = 0; p < in; ++p) sum += double(x.at({b, i, p})) * double(w.value.at({p, j}));
        *to++ = static_cast<Real>(sum);
      }
  return y;
}

// Pairwise different extents; d_k = d_v = 4.
class MultiHead : public testing::Test {
 protected:
  static constexpr Index kBatch = 2, kHeads = 3, kQueryLen = 5, kKeyLen = 7, kDk = 4, kDModel = 12;

  MultiHead() : attention(kDModel, kHeads) {
    std::uint64_t seed = 10;
    for (Parameter* w : {&attention.w_q, &attention.w_k, &attention.w_v, &attention.w_o})
      *w = Parameter(random_tensor({kDModel, kDModel}, seed++));
  }

  MultiHeadAttention attention;
  Tensor query = random_tensor({kBatch, kQueryLen, kDModel}, 1);
  Tensor key = random_tensor({kBatch, kKeyLen, kDModel}, 2);
  Tensor value = random_tensor({kBatch, kKeyLen, kDModel}, 3);
  const AttentionMask mask = {.key_lengths = {7, 4}, .causal = true};
};

TEST_F(MultiHead, IsEachHeadsAttentionSideBySideThenProjected) {
  const Tensor q = times(query, attention.w_q), k = times(key, attention.w_k),
               v = times(value, attention.w_v);
  Tensor concat({kBatch, kQueryLen, kDModel});
  for (Index head = 0; head < kHeads; ++head) {
    const Tensor output = attend(columns_of_head(q, head, kDk), columns_of_head(k, head, kDk),
                                 columns_of_head(v, head, kDk), mask);
    for (Index b = 0; b < kBatch; ++b)
      for (Index i = 0; i < kQueryLen; ++i)
        for (Index d = 0; d < kDk; ++d)
          concat.mutable_data()[(b * kQueryLen + i) * kDModel + head * kDk + d] = output.at({b, i, d});
  }
  MultiHeadAttention::Cache cache;
  const Tensor output = attention.forward(query, key, value, mask, cache);
  EXPECT_TRUE(near(cache.concat, concat, 1e-4));
  EXPECT_TRUE(near(output, times(concat, attention.w_o), 1e-3));
}

TEST_F(MultiHead, BackwardGoesTheWayOfItsForward) {
  const Tensor grad_output = random_tensor({kBatch, kQueryLen, kDModel}, 4);
  for (const std::string way : {"attention", "none"}) {
    const std::string other = way == "none" ? "attention" : "none";
    MultiHeadAttention::Cache cache;
    MultiHeadAttention::InputGradients expected;
    {
      const WaysInScope chosen(plain_ways(other, "test"));
      attention.forward(query, key, value, mask, cache);  // leaves the cache of the other way
    }
    {
      const WaysInScope chosen(plain_ways(way, "test"));
      attention.forward(query, key, value, mask, cache);
      expected = attention.backward(grad_output, cache);
    }
    const WaysInScope chosen(plain_ways(other, "test"));
    const auto grad = attention.backward(grad_output, cache);
    EXPECT_TRUE(same_bits(grad.query, expected.query)) << way;
    EXPECT_TRUE(same_bits(grad.key, expected.key)) << way;
    EXPECT_TRUE(same_bits(grad.value, expected.value)) << way;
  }
}

// [batch=1, len=2, heads * d_k=6]: three heads of two columns.
TEST(Heads, AHeadIsABlockOfColumns) {
  const Tensor together = tensor({1, 2, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_TRUE(near(split_heads(together, 3), {1, 3, 2, 2}, {1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12}, 0));
  for (const Index heads : {0, -1, 4}) EXPECT_THROW(split_heads(together, heads), std::logic_error);
}

TEST(Heads, ConcatenatingPutsThemSideBySideAgain) {
  const Tensor x = random_tensor({2, 3, 10}, 1);
  EXPECT_TRUE(same_bits(concatenate_heads(split_heads(x, 5)), x));
}

// Table 3, row B: a score needs q and k alone, and a head's output has the width of v.
TEST(MultiHeadAttention, KeysAndValuesMayHaveWidthsOfTheirOwn) {
  MultiHeadAttention attention(2, 1, 1, 3);
  attention.w_q.value = tensor({2, 1}, {1, 0});
  attention.w_k.value = tensor({2, 1}, {0, 1});
  attention.w_v.value = tensor({2, 3}, {1, 0, 2, 0, 1, 0});
  attention.w_o.value = tensor({3, 2}, {1, 0, 0, 1, 0, 1});
  // q = 1 meets the keys 0 and ln 3: weights 1/4 and 3/4. The values are [4, 0, 8] and [8, 4, 16].
  const Tensor query = tensor({1, 1, 2}, {1, 5}), key = tensor({1, 2, 2}, {9, 0, 9, std::log(3.0)});
  const Tensor value = tensor({1, 2, 2}, {4, 0, 8, 4});
  MultiHeadAttention::Cache cache;
  const Tensor output = attention.forward(query, key, value, {.key_lengths = {2}}, cache);
  EXPECT_TRUE(near(cache.concat, {1, 1, 3}, {7, 3, 14}, 1e-5));
  EXPECT_TRUE(near(output, {1, 1, 2}, {7, 17}, 1e-5));
}

TEST_F(MultiHead, RefusesWhatDoesNotFit) {
  EXPECT_THROW(MultiHeadAttention(12, 5), std::logic_error);
  EXPECT_THROW(MultiHeadAttention(12, 0), std::logic_error);
  MultiHeadAttention::Cache cache;
  EXPECT_THROW(attention.forward(Tensor({kBatch, kQueryLen, kDModel + 1}), key, value, mask, cache),
               std::logic_error);
  EXPECT_THROW(attention.forward(query, Tensor({kBatch, kKeyLen + 1, kDModel}), value, mask, cache),
               std::logic_error);
  EXPECT_THROW(attention.forward(query, key, value, {.key_lengths = {7}}, cache), std::logic_error);
  attention.forward(query, key, value, mask, cache);
  EXPECT_THROW(attention.backward(Tensor::zeros({kQueryLen, kBatch, kDModel}), cache), std::logic_error);
}

GRADIENT_TEST_F(MultiHead, Gradient) {
  const Tensor grad_output = random_tensor({kBatch, kQueryLen, kDModel}, 4);
  MultiHeadAttention::Cache cache;
  attention.forward(query, key, value, mask, cache);
  const auto grad = attention.backward(grad_output, cache);
  std::vector<CheckedTensor> inputs = checked_tensors(parameters_of(attention));
  inputs.push_back({"query", &query, grad.query});
  inputs.push_back({"key", &key, grad.key});
  inputs.push_back({"value", &value, grad.value});
  const auto loss = [&] {
    MultiHeadAttention::Cache unused;
    return dot(grad_output, attention.forward(query, key, value, mask, unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

}  // namespace
}  // namespace plainformer
