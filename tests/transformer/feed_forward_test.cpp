#include "transformer/feed_forward.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

TEST(FeedForward, ByHand) {
  FeedForward network(2, 3);
  network.w_1.value = tensor({2, 3}, {1, 0, -1, 0, 1, -1});
  network.b_1.value = tensor({3}, {0, -5, 1});
  network.w_2.value = tensor({3, 2}, {1, 10, 2, 20, 3, 30});
  network.b_2.value = tensor({2}, {0.5, 0.25});
  FeedForward::Cache cache;
  const Tensor output = network.forward(tensor({1, 2, 2}, {3, 7, -2, -4}), cache);
  // x W_1 + b_1 = (3, 7 - 5, -10 + 1) and (-2, -4 - 5, 6 + 1); the negative ones are cut off.
  EXPECT_TRUE(near(cache.hidden, {1, 2, 3}, {3, 2, 0, 0, 0, 7}, 0));
  EXPECT_TRUE(near(output, {1, 2, 2}, {7.5, 70.25, 21.5, 210.25}, 1e-5));
}

TEST(FeedForward, RefusesShapesThatDoNotFit) {
  FeedForward network(5, 7);
  FeedForward::Cache cache;
  EXPECT_THROW(network.forward(Tensor({1, 2, 3}), cache), std::logic_error);
  network.forward(Tensor::zeros({2, 3, 5}), cache);
  EXPECT_THROW(network.backward(Tensor::zeros({3, 2, 5}), cache), std::logic_error);
}

GRADIENT_TEST(FeedForward, Gradient) {
  FeedForward network(5, 7);
  const ParameterList parameters = parameters_of(network);
  randomize(parameters, 10);
  Tensor x = random_tensor({2, 3, 5}, 1);
  const Tensor grad_output = random_tensor({2, 3, 5}, 2);
  FeedForward::Cache cache;
  network.forward(x, cache);
  const Tensor grad_x = network.backward(grad_output, cache);
  std::vector<CheckedTensor> inputs = checked_tensors(parameters);
  inputs.push_back({"x", &x, grad_x});
  const auto loss = [&] {
    FeedForward::Cache unused;
    return dot(grad_output, network.forward(x, unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

}  // namespace
}  // namespace plainformer
