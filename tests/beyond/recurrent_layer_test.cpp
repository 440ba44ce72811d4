#include "beyond/recurrent_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "beyond/layer_checks.h"

namespace plainformer {
namespace {

// h_0 = tanh(x_0 W_x + b), h_1 = tanh(x_1 W_x + b + h_0 W_h), where W_h moves the first number of h_0 to the
// second place.
TEST(RecurrentLayer, ByHand) {
  RecurrentLayer layer(2);
  layer.w_x.value = tensor({2, 2}, {1, 2, 3, 4});
  layer.w_h.value = tensor({2, 2}, {0, 5, 0, 0});
  layer.b.value = tensor({2}, {0.5, 0.25});
  RecurrentLayer::Cache cache;
  const Tensor output = layer.forward(tensor({1, 2, 2}, {0.1, 0, 0, -0.1}), cache);
  const double first = std::tanh(0.1 + 0.5);
  EXPECT_TRUE(near(output, {1, 2, 2},
                   {first, std::tanh(0.2 + 0.25),  //
                    std::tanh(-0.3 + 0.5), std::tanh(-0.4 + 0.25 + 5 * first)},
                   1e-6));
}

// Chapter 1's three steps: x = (1, 0, 0), w_x = 1, w_h = 0.5, and the gradient 1 at the last state. Each step back
// multiplies by w_h and by the slope of tanh.
TEST(RecurrentLayer, AWordFadesWithEachStep) {
  RecurrentLayer layer(1);
  layer.w_x.value = tensor({1, 1}, {1});
  layer.w_h.value = tensor({1, 1}, {0.5});
  RecurrentLayer::Cache cache;
  const Tensor h = layer.forward(tensor({1, 3, 1}, {1, 0, 0}), cache);
  EXPECT_TRUE(near(h, {1, 3, 1}, {0.7616, 0.3634, 0.1797}, 5e-5));
  const Tensor grad_x = layer.backward(tensor({1, 3, 1}, {0, 0, 1}), cache);
  EXPECT_TRUE(near(grad_x, {1, 3, 1}, {0.0882, 0.4200, 0.9677}, 5e-5));
  EXPECT_TRUE(near(layer.w_h.grad, {1, 1}, {0.6715}, 5e-5));
}

TEST(RecurrentLayer, TheStateBeginsAnewInEachSentence) {
  const RecurrentLayer layer = randomized(RecurrentLayer(3));
  const Tensor x = random_tensor({2, 5, 3}, 1);
  Tensor second({1, 5, 3});
  std::copy_n(x.data() + 15, 15, second.mutable_data());
  RecurrentLayer::Cache cache;
  const Tensor together = layer.forward(x, cache), alone = layer.forward(second, cache);
  EXPECT_TRUE(std::equal(alone.data(), alone.data() + 15, together.data() + 15));
}

TEST(RecurrentLayer, SeesNoLaterPosition) {
  EXPECT_TRUE(sees_no_later_position(RecurrentLayer(3), {2, 7, 3}, 4));
}

TEST(RecurrentLayer, NamesItsParameters) {
  EXPECT_EQ(names_and_shapes(RecurrentLayer(3)),
            (std::vector<std::string>{"layer.w_x [3, 3]", "layer.w_h [3, 3]", "layer.b [3]"}));
}

// Two products for each position; one operation for all inputs, then one for each position.
TEST(RecurrentLayer, MakesTwoProductsAPositionOneAfterTheOther) {
  RecurrentLayer layer(5);
  RecurrentLayer::Cache cache;
  const Tensor x = random_tensor({2, 7, 5}, 1);
  EXPECT_EQ(work_of([&] { layer.forward(x, cache); }), (Work{2 * 2 * 7 * 5 * 5, 1 + 7}));
  EXPECT_EQ(work_of([&] { layer.backward(x, cache); }), (Work{4 * 2 * 7 * 5 * 5, 1 + 7}));
}

TEST(RecurrentLayer, RefusesOtherShapes) {
  RecurrentLayer layer(3);
  RecurrentLayer::Cache cache;
  EXPECT_THROW(layer.forward(Tensor({2, 5, 4}), cache), std::logic_error);
  layer.forward(Tensor::zeros({2, 5, 3}), cache);
  EXPECT_THROW(layer.backward(Tensor::zeros({5, 2, 3}), cache), std::logic_error);
}

GRADIENT_TEST(RecurrentLayer, Gradient) {
  EXPECT_TRUE(layer_gradients_agree(RecurrentLayer(3), {2, 5, 3}));
}

}  // namespace
}  // namespace plainformer
