#include "beyond/additive_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "beyond/layer_checks.h"
#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// W_1 = W_2 = 1 and v = 2: score(q, k) = 2 tanh(q + k). With q = 1 and k = -1 the score is 0; with k =
// atanh(ln 3 / 2) - 1 it is ln 3. So the weights are 1/4 and 3/4. The third key is not seen.
TEST(AdditiveAttention, AveragesTheVisibleValues) {
  AdditiveAttention attention(1, 1);
  attention.w_1.value = attention.w_2.value = tensor({1, 1}, {1});
  attention.v.value = tensor({1}, {2});
  AdditiveAttention::Cache cache;
  const Tensor output =
      attention.forward(tensor({1, 1, 1}, {1}), tensor({1, 3, 1}, {-1, std::atanh(std::log(3.0) / 2) - 1, 9}),
                        tensor({1, 3, 2}, {4, 0, 8, 4, 100, 100}), {.key_lengths = {2}}, cache);
  EXPECT_TRUE(near(output, {1, 1, 2}, {7, 3}, 1e-5));
}

// The five words 猫 [1 2] to 睡觉 [9 10]. W_1 takes a query's first number, W_2 a key's second number, each over
// 10; v = [1]. 猫 has the scores tanh(0.1 + 0.2), tanh(0.1 + 0.4), ..., tanh(0.1 + 1): bounded, and nearly
// alike.
TEST(AdditiveAttention, TheFiveWords) {
  const Tensor words = tensor({1, 5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  AdditiveAttention attention(2, 1);
  attention.w_1.value = tensor({2, 1}, {0.1, 0});
  attention.w_2.value = tensor({2, 1}, {0, 0.1});
  attention.v.value = tensor({1}, {1});
  AdditiveAttention::Cache cache;
  attention.forward(words, words, words, {.key_lengths = {5}}, cache);
  double sum = 0;
  for (Index j = 0; j < 5; ++j) sum += std::exp(std::tanh(0.1 + 0.2 * double(j + 1)));
  for (Index j = 0; j < 5; ++j)
    EXPECT_NEAR(cache.weights.at({0, 0, j}), std::exp(std::tanh(0.1 + 0.2 * double(j + 1))) / sum, 1e-6);
}

// Pairwise different extents.
class Additive : public testing::Test {
 protected:
  static constexpr Index kBatch = 3, kQueryLen = 5, kKeyLen = 7, kDModel = 4, kHidden = 2, kDv = 6;
  Additive() : attention(kDModel, kHidden) {
    attention.w_1 = random_parameter({kDModel, kHidden}, 5);
    attention.w_2 = random_parameter({kDModel, kHidden}, 6);
    attention.v = random_parameter({kHidden}, 7);
  }
  Tensor forward(const AttentionMask& mask, AdditiveAttention::Cache& cache) const {
    return attention.forward(query, key, value, mask, cache);
  }

  Tensor query = random_tensor({kBatch, kQueryLen, kDModel}, 1);
  Tensor key = random_tensor({kBatch, kKeyLen, kDModel}, 2);
  Tensor value = random_tensor({kBatch, kKeyLen, kDv}, 3);
  AdditiveAttention attention;
  const AttentionMask masks[3] = {{.key_lengths = {7, 7, 7}, .causal = false},
                                  {.key_lengths = {7, 3, 0}, .causal = false},
                                  {.key_lengths = {7, 3, 0}, .causal = true}};
};

TEST_F(Additive, EachRowOfWeightsSumsToOneOverWhatItSees) {
  for (const AttentionMask& mask : masks) {
    AdditiveAttention::Cache cache;
    forward(mask, cache);
    for (Index b = 0; b < kBatch; ++b)
      for (Index i = 0; i < kQueryLen; ++i) {
        double sum = 0;
        for (Index j = 0; j < kKeyLen; ++j) {
          EXPECT_EQ(cache.weights.at({b, i, j}) != 0, j < mask.visible_keys(b, i)) << b << i << j;
          sum += cache.weights.at({b, i, j});
        }
        EXPECT_NEAR(sum, mask.key_lengths[b] > 0 ? 1 : 0, 1e-6);
      }
  }
}

TEST_F(Additive, AMaskedPositionHasNoInfluenceAndGetsNoGradient) {
  AdditiveAttention::Cache cache;
  const Tensor before = forward(masks[1], cache);
  for (Index j = 3; j < kKeyLen; ++j) {  // the padding of element 1
    std::fill_n(key.mutable_data() + (kKeyLen + j) * kDModel, kDModel, Real(50));
    std::fill_n(value.mutable_data() + (kKeyLen + j) * kDv, kDv, Real(50));
  }
  EXPECT_TRUE(same_bits(forward(masks[1], cache), before));
  const AttentionGradients grad = attention.backward(random_tensor(before.shape(), 4), cache);
  for (Index j = 3; j < kKeyLen; ++j) {
    for (Index p = 0; p < kDModel; ++p) EXPECT_EQ(grad.key.at({1, j, p}), 0);
    for (Index p = 0; p < kDv; ++p) EXPECT_EQ(grad.value.at({1, j, p}), 0);
  }
}

TEST_F(Additive, AFullyMaskedQueryGetsZerosAndGivesZeros) {
  AdditiveAttention::Cache cache;
  const Tensor output = forward(masks[2], cache);
  const AttentionGradients grad = attention.backward(random_tensor(output.shape(), 4), cache);
  for (Index i = 0; i < kQueryLen; ++i) {  // element 2 has no keys
    for (Index p = 0; p < kDv; ++p) EXPECT_EQ(output.at({2, i, p}), 0);
    for (Index p = 0; p < kDModel; ++p) EXPECT_EQ(grad.query.at({2, i, p}), 0);
  }
}

// 5 queries see 7, 3 and 0 keys: 50 pairs, of 2 products for the score and 6 for the average. Backward makes the former
// once, for the gradient of v, and the latter twice. The projections take 3 * (5 + 7) * 4 * 2.
TEST_F(Additive, CountsItsWork) {
  AdditiveAttention::Cache cache;
  Tensor output;
  EXPECT_EQ(work_of([&] { output = forward(masks[1], cache); }), (Work{288 + 50 * (2 + 6), 3}));
  EXPECT_EQ(work_of([&] { attention.backward(output, cache); }), (Work{2 * 288 + 50 * (2 + 2 * 6), 3}));
}

// A sentence does not change with its company.
TEST_F(Additive, TheFirstSentenceAloneHasTheSameBits) {
  AdditiveAttention::Cache cache;
  const Tensor together = forward(masks[1], cache);
  const auto first = [](const Tensor& x) {
    Tensor one({1, x.dim(1), x.dim(2)});
    std::copy_n(x.data(), one.size(), one.mutable_data());
    return one;
  };
  const Tensor alone = attention.forward(first(query), first(key), first(value), {.key_lengths = {7}}, cache);
  EXPECT_TRUE(same_bits(alone, first(together)));
}

TEST_F(Additive, NamesItsParameters) {
  ParameterList list;
  attention.append_parameters("a", list);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].name, "a.w_1");
  EXPECT_EQ(list[1].name, "a.w_2");
  EXPECT_EQ(list[2].name, "a.v");
}

TEST_F(Additive, RefusesShapesThatDoNotFit) {
  AdditiveAttention::Cache cache;
  EXPECT_THROW(attention.forward(random_tensor({kBatch, kQueryLen, 5}, 1), key, value, masks[0], cache),
               std::logic_error);
  EXPECT_THROW(attention.forward(query, key, Tensor({kBatch, kKeyLen + 1, kDv}), masks[0], cache),
               std::logic_error);
  EXPECT_THROW(attention.forward(query, key, value, {.key_lengths = {7, 8, 7}}, cache), std::logic_error);
  forward(masks[0], cache);
  EXPECT_THROW(attention.backward(Tensor::zeros({kBatch, kQueryLen, kDModel}), cache), std::logic_error);
}

GRADIENT_TEST_F(Additive, Gradient) {
  const Tensor grad_output = random_tensor({kBatch, kQueryLen, kDv}, 4);
  for (const AttentionMask& mask : masks) {
    for (Parameter* parameter : {&attention.w_1, &attention.w_2, &attention.v})
      *parameter = Parameter(parameter->value);
    AdditiveAttention::Cache cache;
    forward(mask, cache);
    const AttentionGradients grad = attention.backward(grad_output, cache);
    const auto loss = [&] {
      AdditiveAttention::Cache unused;
      return dot(grad_output, forward(mask, unused));
    };
    EXPECT_TRUE(gradients_agree(loss, {{"query", &query, grad.query},
                                       {"key", &key, grad.key},
                                       {"value", &value, grad.value},
                                       {"w_1", &attention.w_1.value, attention.w_1.grad},
                                       {"w_2", &attention.w_2.value, attention.w_2.grad},
                                       {"v", &attention.v.value, attention.v.grad}}));
  }
}

}  // namespace
}  // namespace plainformer
