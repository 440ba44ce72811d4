#include "beyond/separable_convolution_layer.h"

#include <gtest/gtest.h>

#include "beyond/layer_checks.h"

namespace plainformer {
namespace {

// Depthwise: the channels (1, 2, 3) and (10, 20, 30) by themselves; pointwise: their sum and difference.
TEST(SeparableConvolutionLayer, ByHand) {
  SeparableConvolutionLayer layer(2, 2);
  layer.w_depthwise.value = tensor({2, 2}, {1, 2, 100, 3});
  layer.w_pointwise.value = tensor({2, 2}, {1, 1, 1, -1});
  layer.b.value = tensor({2}, {0.5, 0});
  SeparableConvolutionLayer::Cache cache;
  const Tensor output = layer.forward(tensor({1, 3, 2}, {1, 10, 2, 20, 3, 30}), cache);
  EXPECT_TRUE(near(cache.depthwise, {1, 3, 2}, {1, 20, 102, 70, 203, 120}, 1e-4));
  EXPECT_TRUE(near(output, {1, 3, 2}, {21.5, -19, 172.5, 32, 323.5, 83}, 1e-4));
}

TEST(SeparableConvolutionLayer, SeesNoLaterPosition) {
  EXPECT_TRUE(sees_no_later_position(SeparableConvolutionLayer(3, 2), {2, 7, 3}, 4));
}

TEST(SeparableConvolutionLayer, NamesItsParameters) {
  EXPECT_EQ(
      names_and_shapes(SeparableConvolutionLayer(3, 2)),
      (std::vector<std::string>{"layer.w_depthwise [2, 3]", "layer.w_pointwise [3, 3]", "layer.b [3]"}));
}

// In a sentence of 7, a kernel of 3 meets 7 + 6 + 5 positions of each of 5 channels.
TEST(SeparableConvolutionLayer, MakesKProductsOfNumbersAndOneOfAMatrixAPosition) {
  SeparableConvolutionLayer layer(5, 3);
  SeparableConvolutionLayer::Cache cache;
  const Tensor x = random_tensor({2, 7, 5}, 1);
  const std::int64_t products = 2 * 18 * 5 + 2 * 7 * 5 * 5;
  EXPECT_EQ(work_of([&] { layer.forward(x, cache); }), (Work{products, 2}));
  EXPECT_EQ(work_of([&] { layer.backward(x, cache); }), (Work{2 * products, 2}));
}

TEST(SeparableConvolutionLayer, RefusesOtherShapesAndSizes) {
  EXPECT_THROW(SeparableConvolutionLayer(3, 0), std::logic_error);
  SeparableConvolutionLayer layer(3, 2);
  SeparableConvolutionLayer::Cache cache;
  EXPECT_THROW(layer.forward(Tensor({2, 5, 4}), cache), std::logic_error);
  layer.forward(Tensor::zeros({2, 5, 3}), cache);
  EXPECT_THROW(layer.backward(Tensor::zeros({5, 2, 3}), cache), std::logic_error);
}

GRADIENT_TEST(SeparableConvolutionLayer, Gradient) {
  EXPECT_TRUE(layer_gradients_agree(SeparableConvolutionLayer(3, 2), {2, 5, 3}));
  EXPECT_TRUE(layer_gradients_agree(SeparableConvolutionLayer(2, 5), {2, 3, 2}));
}

}  // namespace
}  // namespace plainformer
