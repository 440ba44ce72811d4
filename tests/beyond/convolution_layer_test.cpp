#include "beyond/convolution_layer.h"

#include <gtest/gtest.h>

#include "beyond/layer_checks.h"

namespace plainformer {
namespace {

TEST(ConvolutionLayer, ByHand) {
  ConvolutionLayer layer(1, 3, 1);
  layer.w.value = tensor({3, 1}, {1, 10, 100});
  layer.b.value = tensor({1}, {0.5});
  ConvolutionLayer::Cache cache;
  const Tensor output = layer.forward(tensor({1, 4, 1}, {1, 2, 3, 4}), cache);
  EXPECT_TRUE(near(output, {1, 4, 1}, {1.5, 12.5, 123.5, 234.5}, 1e-4));
}

TEST(ConvolutionLayer, DilationLeavesPositionsOut) {
  ConvolutionLayer layer(1, 3, 2);
  layer.w.value = tensor({3, 1}, {1, 10, 100});
  ConvolutionLayer::Cache cache;
  const Tensor output = layer.forward(tensor({1, 6, 1}, {1, 2, 3, 4, 5, 6}), cache);
  EXPECT_TRUE(near(output, {1, 6, 1}, {1, 2, 13, 24, 135, 246}, 1e-4));
}

TEST(ConvolutionLayer, MixesTheChannels) {
  ConvolutionLayer layer(2, 2, 1);
  layer.w.value = tensor({4, 2}, {1, 2, 3, 4, 10, 20, 30, 40});
  ConvolutionLayer::Cache cache;
  const Tensor output = layer.forward(tensor({1, 2, 2}, {1, 0, 0, 1}), cache);
  EXPECT_TRUE(near(output, {1, 2, 2}, {1, 2, 3 + 10, 4 + 20}, 1e-5));
}

TEST(ConvolutionLayer, SeesNoLaterPosition) {
  EXPECT_TRUE(sees_no_later_position(ConvolutionLayer(3, 2, 1), {2, 7, 3}, 4));
  EXPECT_TRUE(sees_no_later_position(ConvolutionLayer(3, 2, 3), {2, 7, 3}, 4));
}

TEST(ConvolutionLayer, NamesItsParameters) {
  EXPECT_EQ(names_and_shapes(ConvolutionLayer(3, 2, 5)),
            (std::vector<std::string>{"layer.w [6, 3]", "layer.b [3]"}));
}

TEST(ConvolutionLayer, MakesKProductsAPositionInOneOperation) {
  for (const Index dilation : {1, 3}) {
    ConvolutionLayer layer(5, 3, dilation);
    ConvolutionLayer::Cache cache;
    const Tensor x = random_tensor({2, 7, 5}, 1);
    EXPECT_EQ(work_of([&] { layer.forward(x, cache); }), (Work{3 * 2 * 7 * 5 * 5, 1}));
    EXPECT_EQ(work_of([&] { layer.backward(x, cache); }), (Work{2 * 3 * 2 * 7 * 5 * 5, 1}));
  }
}

TEST(ConvolutionLayer, AKernelMayBeLongerThanTheSentence) {
  ConvolutionLayer layer(1, 5, 2);
  layer.w.value = tensor({5, 1}, {1, 10, 100, 1000, 10000});
  ConvolutionLayer::Cache cache;
  EXPECT_TRUE(near(layer.forward(tensor({1, 3, 1}, {1, 2, 3}), cache), {1, 3, 1}, {1, 2, 13}, 1e-5));
}

TEST(ConvolutionLayer, RefusesOtherShapesAndSizes) {
  EXPECT_THROW(ConvolutionLayer(3, 0, 1), std::logic_error);
  EXPECT_THROW(ConvolutionLayer(3, 2, 0), std::logic_error);
  ConvolutionLayer layer(3, 2, 1);
  ConvolutionLayer::Cache cache;
  EXPECT_THROW(layer.forward(Tensor({2, 5, 4}), cache), std::logic_error);
  layer.forward(Tensor::zeros({2, 5, 3}), cache);
  EXPECT_THROW(layer.backward(Tensor::zeros({5, 2, 3}), cache), std::logic_error);
}

GRADIENT_TEST(ConvolutionLayer, Gradient) {
  EXPECT_TRUE(layer_gradients_agree(ConvolutionLayer(3, 2, 1), {2, 5, 3}));
  EXPECT_TRUE(layer_gradients_agree(ConvolutionLayer(3, 2, 3), {2, 5, 3}));
}

}  // namespace
}  // namespace plainformer
