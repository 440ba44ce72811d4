#include "beyond/gated_recurrent_unit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "beyond/layer_checks.h"
#include "beyond/one_position.h"

namespace plainformer {
namespace {

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

// One number of state. The input's share is x (1, 2, 3) + (0.5, 0.25, -0.5); the state's is h (-1, 2, 4).
TEST(GatedRecurrentUnit, ByHand) {
  GatedRecurrentUnit unit(1, 1);
  unit.w.value = tensor({1, 3}, {1, 2, 3});
  unit.b.value = tensor({3}, {0.5, 0.25, -0.5});
  unit.u_gates.value = tensor({1, 2}, {-1, 2});
  unit.u_n.value = tensor({1, 1}, {4});
  GatedRecurrentUnit::Cache cache;
  const Tensor output = unit.forward(tensor({1, 2, 1}, {0.1, -0.2}), cache);
  const double first = logistic(0.6) * std::tanh(-0.2);
  const double z = logistic(0.3 - first), r = logistic(-0.15 + 2 * first),
               n = std::tanh(-1.1 + 4 * r * first);
  EXPECT_TRUE(near(output, {1, 2, 1}, {first, (1 - z) * first + z * n}, 1e-6));
}

// With z = 0 the state passes every position unchanged: this way of a gradient does not shrink.
TEST(GatedRecurrentUnit, AClosedGateKeepsTheState) {
  GatedRecurrentUnit unit = randomized(GatedRecurrentUnit(2, 3));
  for (Index j = 0; j < 3; ++j) unit.b.value.mutable_data()[j] = -1000;  // z
  GatedRecurrentUnit::StepCache cache;
  const Tensor h = random_tensor({2, 3}, 1), x = random_tensor({2, 2}, 2);
  EXPECT_TRUE(same_bits(unit.step_forward(unit.input_forward(x), h, cache), h));
  const Tensor grad = random_tensor({2, 3}, 3);
  EXPECT_TRUE(same_bits(unit.step_backward(grad, cache).h, grad));
}

// A chain that goes on where another one ended is one chain.
TEST(GatedRecurrentUnit, GoesOnFromAnotherState) {
  const GatedRecurrentUnit unit = randomized(GatedRecurrentUnit(2, 3));
  const Tensor x = random_tensor({1, 5, 2}, 1);
  GatedRecurrentUnit::Cache cache;
  const Tensor whole = unit.forward(x, cache);
  const Tensor rest = tensor({1, 2, 2}, {x.data() + 3 * 2, x.data() + 5 * 2});
  const Tensor second = unit.forward_from(take_position(whole, 2), rest, cache);
  EXPECT_TRUE(std::equal(second.data(), second.data() + second.size(), whole.data() + 3 * 3));
}

TEST(GatedRecurrentUnit, SeesNoLaterPosition) {
  EXPECT_TRUE(sees_no_later_position(GatedRecurrentUnit(3, 3), {2, 7, 3}, 4));
}

TEST(GatedRecurrentUnit, NamesItsParameters) {
  EXPECT_EQ(names_and_shapes(GatedRecurrentUnit(2, 3)),
            (std::vector<std::string>{"layer.w [2, 9]", "layer.b [9]", "layer.u_gates [3, 6]",
                                      "layer.u_n [3, 3]"}));
}

// One operation for all inputs, then two for each position, one after the other: six products for each position.
TEST(GatedRecurrentUnit, WaitsTwiceAtEachPosition) {
  GatedRecurrentUnit unit(5, 5);
  GatedRecurrentUnit::Cache cache;
  const Tensor x = random_tensor({2, 7, 5}, 1);
  EXPECT_EQ(work_of([&] { unit.forward(x, cache); }), (Work{6 * 2 * 7 * 5 * 5, 1 + 2 * 7}));
  EXPECT_EQ(work_of([&] { unit.backward(x, cache); }), (Work{12 * 2 * 7 * 5 * 5, 1 + 2 * 7}));
}

TEST(GatedRecurrentUnit, RefusesOtherShapes) {
  GatedRecurrentUnit unit(2, 3);
  GatedRecurrentUnit::Cache cache;
  EXPECT_THROW(unit.forward(Tensor({2, 5, 4}), cache), std::logic_error);
  unit.forward(Tensor::zeros({2, 5, 2}), cache);
  EXPECT_THROW(unit.backward(Tensor::zeros({5, 2, 3}), cache), std::logic_error);
}

GRADIENT_TEST(GatedRecurrentUnit, Gradient) {
  EXPECT_TRUE(layer_gradients_agree(GatedRecurrentUnit(3, 3), {2, 5, 3}));
}

// The state before the first position has a gradient, too.
GRADIENT_TEST(GatedRecurrentUnit, GradientOfTheStart) {
  GatedRecurrentUnit unit = randomized(GatedRecurrentUnit(2, 3));
  Tensor start = random_tensor({2, 3}, 1), x = random_tensor({2, 5, 2}, 2);
  const Tensor grad_output = random_tensor({2, 5, 3}, 3);
  GatedRecurrentUnit::Cache cache;
  unit.forward_from(start, x, cache);
  const auto grad = unit.backward_from(grad_output, cache);
  const auto loss = [&] {
    GatedRecurrentUnit::Cache unused;
    return dot(grad_output, unit.forward_from(start, x, unused));
  };
  EXPECT_TRUE(gradients_agree(loss, {{"start", &start, grad.start}, {"x", &x, grad.x}}));
}

}  // namespace
}  // namespace plainformer
