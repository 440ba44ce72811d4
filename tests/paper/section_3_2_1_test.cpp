// Paper: 3.2.1 Scaled Dot-Product Attention. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/scaled_dot_product_attention.h"
#include "ops/elementwise.h"
#include "tensors.h"

namespace plainformer {
namespace {

constexpr Index kQueryLen = 3, kKeyLen = 5, kDk = 4, kDv = 7;
const AttentionMask kNoMask = {.key_lengths = {kKeyLen}, .causal = false};

class Section321 : public testing::Test {
 protected:
  const Tensor query = random_tensor({1, 1, kQueryLen, kDk}, 1);
  const Tensor key = random_tensor({1, 1, kKeyLen, kDk}, 2);
  const Tensor value = random_tensor({1, 1, kKeyLen, kDv}, 3);

  double dot_product(Index i, Index j) const {
    double sum = 0;
    for (Index d = 0; d < kDk; ++d) sum += query.at({0, 0, i, d}) * key.at({0, 0, j, d});
    return sum;
  }
};

// "The input consists of queries and keys of dimension d_k, and values of dimension d_v."
TEST_F(Section321, TheInputConsistsOfQueriesAndKeysOfDimensionDkAndValuesOfDimensionDv) {
  AttentionCache cache;
  const Tensor output = scaled_dot_product_attention_forward(query, key, value, kNoMask, cache);
  EXPECT_EQ(output.shape(), (Shape{1, 1, kQueryLen, kDv}));
}

// "We compute the dot products of the query with all keys, divide each by sqrt(d_k), and apply a softmax
// function to obtain the weights on the values."
TEST_F(Section321, DividesEachDotProductBySqrtDkAndAppliesASoftmax) {
  AttentionCache cache;
  scaled_dot_product_attention_forward(query, key, value, kNoMask, cache);
  for (Index i = 0; i < kQueryLen; ++i) {
    double sum = 0;
    for (Index j = 0; j < kKeyLen; ++j) sum += std::exp(dot_product(i, j) / std::sqrt(double(kDk)));
    for (Index j = 0; j < kKeyLen; ++j)
      EXPECT_NEAR(cache.weights.at({0, 0, i, j}), std::exp(dot_product(i, j) / std::sqrt(double(kDk))) / sum,
                  1e-6);
  }
}

// "we compute the attention function on a set of queries simultaneously, packed together into a matrix Q."
TEST_F(Section321, ComputesTheAttentionOnASetOfQueriesSimultaneously) {
  AttentionCache cache;
  const Tensor together = scaled_dot_product_attention_forward(query, key, value, kNoMask, cache);
  for (Index i = 0; i < kQueryLen; ++i) {
    Tensor one({1, 1, 1, kDk});
    for (Index d = 0; d < kDk; ++d) one.mutable_data()[d] = query.at({0, 0, i, d});
    const Tensor alone = scaled_dot_product_attention_forward(one, key, value, kNoMask, cache);
    for (Index d = 0; d < kDv; ++d) EXPECT_EQ(alone.at({0, 0, 0, d}), together.at({0, 0, i, d}));
  }
}

// "Dot-product attention is identical to our algorithm, except for the scaling factor of 1/sqrt(d_k)": with
// queries sqrt(d_k) times as long, ours gives its weights.
TEST_F(Section321, DotProductAttentionIsIdenticalExceptForTheScalingFactor) {
  AttentionCache cache;
  scaled_dot_product_attention_forward(scale(query, std::sqrt(Real(kDk))), key, value, kNoMask, cache);
  for (Index i = 0; i < kQueryLen; ++i) {
    double sum = 0;
    for (Index j = 0; j < kKeyLen; ++j) sum += std::exp(dot_product(i, j));
    for (Index j = 0; j < kKeyLen; ++j)
      EXPECT_NEAR(cache.weights.at({0, 0, i, j}), std::exp(dot_product(i, j)) / sum, 1e-6);
  }
}

// Footnote 4: "assume that the components of q and k are independent random variables with mean 0 and
// variance
// 1. Then their dot product ... has mean 0 and variance d_k." So the scaled scores have variance 1.
TEST_F(Section321, TheDotProductHasMean0AndVarianceDk) {
  constexpr Index kMany = 20'000, kWide = 64;
  const Tensor q = random_tensor({kMany, kWide}, 4), k = random_tensor({kMany, kWide}, 5);
  double mean = 0, mean_square = 0;
  for (Index i = 0; i < kMany; ++i) {
    double product = 0;
    for (Index d = 0; d < kWide; ++d) product += q.at({i, d}) * k.at({i, d});
    mean += product / double(kMany);
    mean_square += product * product / double(kMany);
  }
  EXPECT_NEAR(mean, 0, 5 * std::sqrt(double(kWide) / kMany));
  EXPECT_NEAR(mean_square / kWide, 1, 5 * std::sqrt(2.1 / kMany));
}

// "for large values of d_k, the dot products grow large in magnitude, pushing the softmax function into
// regions where it has extremely small gradients. To counteract this effect, we scale". Unscaled, almost all
// the weight falls on one key; scaled, it stays as spread as at d_k = 1.
TEST_F(Section321, ScalingKeepsTheSoftmaxOutOfRegionsOfSmallGradients) {
  constexpr Index kRows = 200, kWide = 512;
  const Tensor q = random_tensor({1, 1, kRows, kWide}, 6), k = random_tensor({1, 1, kKeyLen, kWide}, 7);
  const Tensor v = random_tensor({1, 1, kKeyLen, 1}, 8);
  const auto mean_slope = [&](const Tensor& queries) {  // of w (1 - w), the softmax's own derivative
    AttentionCache cache;
    scaled_dot_product_attention_forward(queries, k, v, kNoMask, cache);
    double sum = 0;
    for (double w : values(cache.weights)) sum += w * (1 - w);
    return sum / double(kRows * kKeyLen);
  };
  EXPECT_GT(mean_slope(q), 0.08);
  EXPECT_LT(mean_slope(scale(q, std::sqrt(Real(kWide)))), 0.02);
}

}  // namespace
}  // namespace plainformer
