// Paper: 3.2.2 Multi-Head Attention. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include "ops/ways.h"
#include "support/small_model.h"
#include "transformer/config.h"
#include "transformer/multi_head_attention.h"

namespace plainformer {
namespace {

constexpr Index kLen = 5, kDModel = 12, kHeads = 3, kDk = 4;
const AttentionMask kMask = {.key_lengths = {kLen}, .causal = false};

class Section322 : public testing::Test {
 protected:
  Section322() : attention(kDModel, kHeads) {
    std::uint64_t seed = 10;
    for (Parameter* w : {&attention.w_q, &attention.w_k, &attention.w_v, &attention.w_o})
      w->value = random_tensor({kDModel, kDModel}, seed++);
  }

  Tensor forward() { return attention.forward(x, x, x, kMask, cache); }

  // Does head's block of concat differ between the two?
  static bool head_differs(const Tensor& concat, const Tensor& other, Index head) {
    for (Index i = 0; i < kLen; ++i)
      for (Index d = head * kDk; d < (head + 1) * kDk; ++d)
        if (concat.at({0, i, d}) != other.at({0, i, d})) return true;
    return false;
  }

  MultiHeadAttention attention;
  MultiHeadAttention::Cache cache;
  const Tensor x = random_tensor({1, kLen, kDModel}, 1);
};

// "linearly project the queries, keys and values h times with different, learned linear projections to d_k,
// d_k and d_v dimensions": a change in one head's block of columns changes that head's output and no other's.
TEST_F(Section322, ProjectsQueriesKeysAndValuesHTimesWithDifferentProjections) {
  forward();
  const Tensor before = cache.concat;
  for (Parameter* w : {&attention.w_q, &attention.w_k, &attention.w_v})
    for (Index head = 0; head < kHeads; ++head) {
      const Tensor original = w->value;
      for (Index row = 0; row < kDModel; ++row) w->value.mutable_data()[row * kDModel + head * kDk] += 1;
      forward();
      for (Index other = 0; other < kHeads; ++other)
        EXPECT_EQ(head_differs(cache.concat, before, other), other == head);
      w->value = original;
    }
}

// "perform the attention function in parallel, yielding d_v-dimensional output values. These are concatenated
// and once again projected".
TEST_F(Section322, TheHeadsAreConcatenatedAndOnceAgainProjected) {
  const Tensor output = forward();
  EXPECT_EQ(cache.concat.shape(), (Shape{1, kLen, kHeads * kDk}));
  for (Index i = 0; i < kLen; ++i)
    for (Index j = 0; j < kDModel; ++j) {
      double sum = 0;
      for (Index p = 0; p < kDModel; ++p)
        sum += double(cache.concat.at({0, i, p})) * double(attention.w_o.value.at({p, j}));
      EXPECT_NEAR(output.at({0, i, j}), sum, 1e-4);
    }
}

// "Multi-head attention allows the model to jointly attend to information from different representation
// subspaces at different positions."
TEST_F(Section322, HeadsAttendAtDifferentPositions) {
  const WaysInScope plain(with_plain_attention());
  forward();
  const Tensor weights = std::get<AttentionCache>(cache.attention).weights;
  for (Index head = 1; head < kHeads; ++head)
    for (Index i = 0; i < kLen; ++i) {
      bool differs = false;
      for (Index j = 0; j < kLen; ++j) differs |= weights.at({0, head, i, j}) != weights.at({0, 0, i, j});
      EXPECT_TRUE(differs);
    }
}

// "we employ h = 8 parallel attention layers, or heads. For each of these we use d_k = d_v = d_model / h
// = 64."
TEST_F(Section322, EmploysEightHeadsOfDimension64) {
  const ModelConfig config;
  EXPECT_EQ(config.heads, 8);
  EXPECT_EQ(config.d_model / config.heads, 64);
  const WaysInScope plain(with_plain_attention());
  forward();
  EXPECT_EQ(std::get<AttentionCache>(cache.attention).q.shape(), (Shape{1, kHeads, kLen, kDModel / kHeads}));
  EXPECT_EQ(std::get<AttentionCache>(cache.attention).k.shape(), (Shape{1, kHeads, kLen, kDModel / kHeads}));
  EXPECT_EQ(std::get<AttentionCache>(cache.attention).v.shape(), (Shape{1, kHeads, kLen, kDModel / kHeads}));
}

// "Where the projections are parameter matrices W_i^Q, W_i^K, W_i^V and W^O": four matrices, no biases.
TEST_F(Section322, TheProjectionsAreParameterMatrices) {
  const ParameterList parameters = parameters_of(attention);
  ASSERT_EQ(parameters.size(), 4u);
  for (const NamedParameter& p : parameters)
    EXPECT_EQ(p.parameter->value.shape(), (Shape{kDModel, kDModel})) << p.name;
}

// "Due to the reduced dimension of each head, the total computational cost is similar to that of single-head
// attention with full dimensionality": matrices of the same shapes.
TEST_F(Section322, TheCostIsThatOfASingleHeadWithFullDimensionality) {
  MultiHeadAttention one_head(kDModel, 1);
  const ParameterList many = parameters_of(attention), one = parameters_of(one_head);
  ASSERT_EQ(many.size(), one.size());
  for (std::size_t i = 0; i < many.size(); ++i)
    EXPECT_EQ(many[i].parameter->value.shape(), one[i].parameter->value.shape());
}

}  // namespace
}  // namespace plainformer
