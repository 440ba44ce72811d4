// Paper: 4 Why Self-Attention. A test for each sentence that says what a layer reaches or costs, by plain
// formulas. examples/experiments/distance.cpp and neighbor_attention.cpp have the layers, and what they
// learn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

#include "core/real.h"

namespace plainformer {
namespace {

// Does position `query` of a layer, counted from 0, use `key`?
using Sees = std::function<bool(Index layer, Index query, Index key)>;

// The layers until the last of n positions has heard all others.
Index longest_path(Index n, const Sees& sees) {
  std::vector<bool> heard(static_cast<std::size_t>(n),
                          false);  // by the last position, from the top layer down
  heard.back() = true;
  for (Index layer = 0;; ++layer) {
    if (std::count(heard.begin(), heard.end(), true) == n) return layer;
    std::vector<bool> more = heard;
    for (Index query = 0; query < n; ++query)
      for (Index key = 0; key < n; ++key)
        if (heard[query] && sees(layer, query, key)) more[key] = true;
    heard = more;
  }
}

Sees convolution(Index kernel, bool dilated) {
  return [=](Index layer, Index query, Index key) {
    Index dilation = 1;
    for (Index i = 0; dilated && i < layer; ++i) dilation *= kernel;
    const Index back = query - key;
    return back >= 0 && back % dilation == 0 && back / dilation < kernel;
  };
}

// "a self-attention layer connects all positions with a constant number of sequentially executed operations".
TEST(Section4, SelfAttentionConnectsAllPositionsInOneLayer) {
  for (const Index n : {4, 16, 64}) EXPECT_EQ(longest_path(n, [](Index, Index, Index) { return true; }), 1);
}

// "self-attention could be restricted to considering only a neighborhood of size r in the input sequence
// centered around the respective output position. This would increase the maximum path length to O(n/r)."
TEST(Section4, ANeighborhoodOfRIncreasesTheMaximumPathLengthToNOverR) {
  for (const Index r : {3, 9})
    for (const Index n : {16, 64}) {
      const Index reach = (r - 1) / 2;
      const auto sees = [=](Index, Index query, Index key) { return std::abs(query - key) <= reach; };
      EXPECT_EQ(longest_path(n, sees), (n - 1 + reach - 1) / reach) << "n = " << n << ", r = " << r;
    }
}

// "A single convolutional layer with kernel width k < n does not connect all pairs of input and output
// positions. Doing so requires a stack of O(n/k) convolutional layers in the case of contiguous kernels, or
// O(log_k(n)) in the case of dilated convolutions".
TEST(Section4, ConvolutionsNeedNOverKLayersAndDilatedOnesLogKOfN) {
  for (const Index n : {16, 64, 256}) EXPECT_EQ(longest_path(n, convolution(3, false)), (n - 1 + 1) / 2);
  EXPECT_EQ(longest_path(9, convolution(3, true)), 2);
  EXPECT_EQ(longest_path(81, convolution(3, true)), 4);
  EXPECT_EQ(longest_path(64, convolution(4, true)), 3);
}

// Table 1, complexity per layer, with its constants: attention's scores and output; the recurrent layer's two
// matrices.
Index self_attention(Index n, Index d) {
  return 2 * n * n * d;
}
Index recurrent(Index n, Index d) {
  return 2 * n * d * d;
}
Index convolutional(Index k, Index n, Index d) {
  return k * n * d * d;
}
Index separable(Index k, Index n, Index d) {
  return k * n * d + n * d * d;
}

// "self-attention layers are faster than recurrent layers when the sequence length n is smaller than the
// representation dimensionality d".
TEST(Section4, SelfAttentionMakesFewerProductsThanARecurrentLayerWhereNIsSmallerThanD) {
  EXPECT_LT(self_attention(63, 64), recurrent(63, 64));
  EXPECT_EQ(self_attention(64, 64), recurrent(64, 64));
  EXPECT_GT(self_attention(65, 64), recurrent(65, 64));
}

// "Convolutional layers are generally more expensive than recurrent layers, by a factor of k. Separable
// convolutions, however, decrease the complexity considerably, to O(k n d + n d^2). Even with k = n, however,
// the complexity of a separable convolution is equal to the combination of a self-attention layer and a
// point-wise feed-forward layer".
TEST(Section4, ConvolutionsCostKTimesAsMuchAndSeparableOnesLess) {
  EXPECT_EQ(2 * convolutional(5, 32, 64), 5 * recurrent(32, 64));
  EXPECT_LT(separable(5, 32, 64), convolutional(5, 32, 64) / 4);
  EXPECT_EQ(separable(32, 32, 64), self_attention(32, 64) / 2 + 32 * 64 * 64);
}

}  // namespace
}  // namespace plainformer
