// Paper: 4 Why Self-Attention. A test for each sentence that says what a layer costs or reaches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/multiply_adds.h"
#include "lab/table_1/distance_training.h"
#include "lab/table_1/layer_cost.h"
#include "lab/table_1/layer_path.h"
#include "support/tensors.h"
#include "transformer/feed_forward.h"

namespace plainformer {
namespace {

constexpr LayerSizes kSizes = {.d = 24, .heads = 2, .kernel = 3, .neighbors = 9, .global = 1};

double multiply_adds_of(LayerKind kind, Index n, Index d) {
  LayerSizes sizes = kSizes;
  sizes.d = d;
  return double(counted_cost(kind, sizes, n).multiply_adds);
}

Index layers_needed(LayerKind kind, Index n, LayerSizes sizes = kSizes) {
  sizes.d = 4;
  return layers_until_all_is_heard(kind, sizes, n, n);
}

// Table 1, complexity per layer: n^2 d, n d^2, k n d^2, r n d. Twice as long, or twice as wide.
TEST(Section4, ComplexityPerLayer) {
  for (const LayerKind kind : layer_kinds()) {
    const double work = multiply_adds_of(kind, 512, 24);
    // The paper has no neighbors with global positions. They grow as neighbors alone do.
    const Exponents exponents = paper_exponents(kind);
    const bool exact = kind == LayerKind::kSelfAttention || kind == LayerKind::kRecurrent ||
                       kind == LayerKind::kConvolution || kind == LayerKind::kDilatedConvolution;
    const double tolerance = exact ? 0 : kind == LayerKind::kSeparableConvolution ? 0.5 : 0.05;
    EXPECT_NEAR(multiply_adds_of(kind, 1024, 24) / work, std::pow(2, exponents.n.value_or(1)),
                std::min(tolerance, 0.05))
        << name_of(kind);
    EXPECT_NEAR(multiply_adds_of(kind, 512, 48) / work, std::pow(2, exponents.d.value_or(1)), tolerance)
        << name_of(kind);
  }
}

// "a self-attention layer connects all positions with a constant number of sequentially executed operations,
// whereas a recurrent layer requires O(n) sequential operations."
TEST(Section4, OnlyTheRecurrentLayerWaitsForEachPosition) {
  for (const LayerKind kind : layer_kinds()) {
    const auto calls = [&](Index n) { return counted_cost(kind, kSizes, n).operation_calls; };
    EXPECT_EQ(calls(64) - calls(32), kind == LayerKind::kRecurrent ? 32 : 0) << name_of(kind);
    EXPECT_LE(calls(1 << 4), kind == LayerKind::kRecurrent ? 17 : 2) << name_of(kind);
  }
}

// "In terms of computational complexity, self-attention layers are faster than recurrent layers when the
// sequence length n is smaller than the representation dimensionality d".
TEST(Section4, SelfAttentionMakesFewerProductsThanARecurrentLayerWhereNIsSmallerThanD) {
  const auto less = [](Index n, Index d) {
    return multiply_adds_of(LayerKind::kSelfAttention, n, d) < multiply_adds_of(LayerKind::kRecurrent, n, d);
  };
  EXPECT_TRUE(less(46, 48));
  EXPECT_FALSE(less(48, 48));
  EXPECT_FALSE(less(50, 48));
}

// "self-attention could be restricted to considering only a neighborhood of size r in the input sequence
// centered around the respective output position. This would increase the maximum path length to O(n/r)."
TEST(Section4, ANeighborhoodOfRIncreasesTheMaximumPathLengthToNOverR) {
  EXPECT_EQ(layers_needed(LayerKind::kSelfAttention, 129), 1);
  EXPECT_EQ(layers_needed(LayerKind::kNeighbors, 129), 32);  // r - 1 = 8 is 4 on each side
  EXPECT_EQ(layers_needed(LayerKind::kNeighbors, 257), 64);
  LayerSizes wider = kSizes;
  wider.neighbors = 17;
  EXPECT_EQ(layers_needed(LayerKind::kNeighbors, 257, wider), 32);
}

// "A single convolutional layer with kernel width k < n does not connect all pairs of input and output
// positions. Doing so requires a stack of O(n/k) convolutional layers in the case of contiguous kernels, or
// O(log_k(n)) in the case of dilated convolutions".
TEST(Section4, ConvolutionsNeedNOverKLayersAndDilatedOnesLogKOfN) {
  EXPECT_GT(layers_needed(LayerKind::kConvolution, 4), 1);
  EXPECT_EQ(layers_needed(LayerKind::kConvolution, 81), 40);
  EXPECT_EQ(layers_needed(LayerKind::kDilatedConvolution, 81), 4);
  EXPECT_EQ(layers_needed(LayerKind::kDilatedConvolution, 82), 5);
  LayerSizes wider = kSizes;
  wider.kernel = 9;
  EXPECT_EQ(layers_needed(LayerKind::kConvolution, 81, wider), 10);
  EXPECT_EQ(layers_needed(LayerKind::kDilatedConvolution, 81, wider), 2);
}

// "Convolutional layers are generally more expensive than recurrent layers, by a factor of k." The constant of
// the recurrent layer is 2, for W_x and W_h.
TEST(Section4, ConvolutionsAreMoreExpensiveThanRecurrentLayersByAFactorOfK) {
  const double recurrent = multiply_adds_of(LayerKind::kRecurrent, 50, 24);
  for (const Index kernel : {3, 6, 9}) {
    LayerSizes sizes = kSizes;
    sizes.kernel = kernel;
    EXPECT_EQ(double(counted_cost(LayerKind::kConvolution, sizes, 50).multiply_adds) / recurrent,
              double(kernel) / 2);
  }
}

// "Separable convolutions, however, decrease the complexity considerably, to O(k n d + n d^2)."
TEST(Section4, SeparableConvolutionsDecreaseTheComplexity) {
  EXPECT_LT(multiply_adds_of(LayerKind::kSeparableConvolution, 200, 96),
            0.36 * multiply_adds_of(LayerKind::kConvolution, 200, 96));
}

// "Even with k = n, however, the complexity of a separable convolution is equal to the combination of a
// self-attention layer and a point-wise feed-forward layer": both have n^2 d and n d^2, with other constants. Its
// kernel ends at its own position, and so makes n (n + 1) / 2 products.
TEST(Section4, ASeparableConvolutionWithKEqualNCostsAsSelfAttentionAndFeedForward) {
  constexpr Index kN = 40, kModelWidth = 24;
  LayerSizes sizes = kSizes;
  sizes.kernel = kN;
  EXPECT_EQ(counted_cost(LayerKind::kSeparableConvolution, sizes, kN).multiply_adds,
            kN * (kN + 1) / 2 * kModelWidth + kN * kModelWidth * kModelWidth);
  const std::int64_t attention = counted_cost(LayerKind::kSelfAttention, sizes, kN).multiply_adds;
  const FeedForward feed_forward(kModelWidth, 4 * kModelWidth);
  FeedForward::Cache cache;
  const std::int64_t before = multiply_adds();
  feed_forward.forward(random_tensor({1, kN, kModelWidth}, 1), cache);
  EXPECT_EQ(attention + multiply_adds() - before,
            2 * kN * kN * kModelWidth + 8 * kN * kModelWidth * kModelWidth);
}

// "The shorter these paths between any combination of positions in the input and output sequences, the easier
// it is to learn long-range dependencies": over a distance that two layers of the others do not bridge.
TEST(Section4, TheShorterThePathTheEasierToLearn) {
  const auto recalled = [](LayerKind kind) {
    const DistanceTrainingOptions options = {
        .sizes = {.d = 32, .heads = 2, .kernel = 3, .neighbors = 5, .global = 1}, .steps = 250, .batch = 16};
    return train_over_distance(DistanceTask::kRecall, kind, 6, options).accuracy;
  };
  EXPECT_GT(recalled(LayerKind::kSelfAttention), 0.9);
  EXPECT_LT(recalled(LayerKind::kConvolution), 0.2);
  EXPECT_LT(recalled(LayerKind::kNeighbors), 0.2);
}

}  // namespace
}  // namespace plainformer
