// Paper: 3.3 Position-wise Feed-Forward Networks. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/elementwise.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

constexpr Index kPositions = 5, kWidth = 6, kDff = 10;

class Section33 : public testing::Test {
 protected:
  Section33() : network(kWidth, kDff) { randomize(parameters_of(network), 10); }

  FeedForward network;
  FeedForward::Cache cache;
  const Tensor x = random_tensor({1, kPositions, kWidth}, 1);
};

Tensor position(const Tensor& x, Index i) {
  Tensor one({1, 1, x.dim(2)});
  std::copy_n(x.data() + i * x.dim(2), x.dim(2), one.mutable_data());
  return one;
}

// "a fully connected feed-forward network, which is applied to each position separately and identically."
TEST_F(Section33, IsAppliedToEachPositionSeparatelyAndIdentically) {
  const Tensor together = network.forward(x, cache);
  for (Index i = 0; i < kPositions; ++i)
    EXPECT_TRUE(same_bits(network.forward(position(x, i), cache), position(together, i))) << i;
}

// "This consists of two linear transformations with a ReLU activation in between. FFN(x) = max(0, x W_1 +
// b_1) W_2 + b_2".
TEST_F(Section33, ConsistsOfTwoLinearTransformationsWithAReluInBetween) {
  const Tensor output = network.forward(x, cache);
  bool some_are_cut = false;
  for (Index i = 0; i < kPositions; ++i) {
    double hidden[kDff];
    for (Index j = 0; j < kDff; ++j) {
      double sum = network.b_1.value.at({j});
      for (Index p = 0; p < kWidth; ++p) sum += x.at({0, i, p}) * network.w_1.value.at({p, j});
      some_are_cut |= sum < 0;
      hidden[j] = std::max(0.0, sum);
    }
    for (Index j = 0; j < kWidth; ++j) {
      double sum = network.b_2.value.at({j});
      for (Index p = 0; p < kDff; ++p) sum += hidden[p] * network.w_2.value.at({p, j});
      EXPECT_NEAR(output.at({0, i, j}), sum, 1e-5);
    }
  }
  EXPECT_TRUE(some_are_cut);
}

// "While the linear transformations are the same across different positions, they use different parameters
// from layer to layer."
TEST_F(Section33, UsesDifferentParametersFromLayerToLayer) {
  const Transformer model(small_config(), 1);
  std::vector<const FeedForward*> networks;
  for (const EncoderLayer& layer : model.encoder.layers) networks.push_back(&layer.feed_forward);
  for (const DecoderLayer& layer : model.decoder.layers) networks.push_back(&layer.feed_forward);
  for (std::size_t i = 0; i < networks.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(same_bits(networks[i]->w_1.value, networks[j]->w_1.value));
      EXPECT_FALSE(same_bits(networks[i]->w_2.value, networks[j]->w_2.value));
    }
}

// y_i = b + sum over t of x_{i-t} kernel_t, where a position before the first counts as 0
//   kernel   a matrix [width, width] for each of its positions
Tensor convolution(const Tensor& x, const std::vector<Tensor>& kernel, const Tensor& b) {
  Tensor y({x.dim(0), x.dim(1), b.dim(0)});
  for (Index s = 0; s < x.dim(0); ++s)
    for (Index i = 0; i < x.dim(1); ++i)
      for (Index j = 0; j < b.dim(0); ++j) {
        Real sum = b.at({j});
        for (Index t = 0; t < std::ssize(kernel) && t <= i; ++t)
          for (Index p = 0; p < x.dim(2); ++p) sum += x.at({s, i - t, p}) * kernel[t].at({p, j});
        y.mutable_data()[(s * x.dim(1) + i) * b.dim(0) + j] = sum;
      }
  return y;
}

// "Another way of describing this is as two convolutions with kernel size 1."
TEST(Section33Convolutions, AreTwoWithKernelSize1) {
  FeedForward network(kWidth, kWidth);  // a convolution keeps the width
  randomize(parameters_of(network), 10);
  const Tensor x = random_tensor({2, kPositions, kWidth}, 1);
  FeedForward::Cache cache;
  const Tensor hidden = relu_forward(convolution(x, {network.w_1.value}, network.b_1.value));
  EXPECT_TRUE(
      near(network.forward(x, cache), convolution(hidden, {network.w_2.value}, network.b_2.value), 1e-5));
}

// "The dimensionality of input and output is d_model = 512, and the inner-layer has dimensionality d_ff =
// 2048."
TEST_F(Section33, TheInnerLayerHasDimensionalityDff) {
  EXPECT_EQ(ModelConfig().d_model, 512);
  EXPECT_EQ(ModelConfig().d_ff, 2048);
  EXPECT_EQ(network.forward(x, cache).shape(), (Shape{1, kPositions, kWidth}));
  EXPECT_EQ(cache.hidden.shape(), (Shape{1, kPositions, kDff}));
}

}  // namespace
}  // namespace plainformer
