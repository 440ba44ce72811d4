#include "core/parameter.h"

#include <gtest/gtest.h>

#include "support/tensors.h"

namespace plainformer {
namespace {

std::uint64_t bytes_of_system() {
  return storage_statistics().system_bytes;
}

TEST(Parameter, ItsGradientIsEmptyUntilItIsAddedTo) {
  const Index many = 10'000'000;  // more than the pool has free
  const Parameter parameter(Tensor::filled({many}, 3));
  const std::uint64_t before = bytes_of_system();
  Parameter copy = parameter;
  EXPECT_TRUE(copy.grad.empty());
  EXPECT_EQ(bytes_of_system(), before);

  copy.mutable_grad().mutable_data()[many - 1] = 5;
  EXPECT_GE(bytes_of_system(), before + many * sizeof(Real));
  EXPECT_EQ(copy.grad.shape(), Shape({many}));
  EXPECT_EQ(copy.grad.at({many - 1}), 5);
  EXPECT_EQ(copy.grad.at({0}), 0);
  EXPECT_TRUE(parameter.grad.empty());
}

TEST(Parameter, MutableGradKeepsWhatWasAdded) {
  Parameter parameter(Tensor::filled({2}, 3));
  { const Tensor used = Tensor::filled({2}, 7); }  // its storage comes next
  EXPECT_TRUE(near(parameter.mutable_grad(), {2}, {0, 0}, 0));
  parameter.grad = Tensor::from({2}, {5, 7});
  parameter.mutable_grad().mutable_data()[1] = 11;
  EXPECT_TRUE(near(parameter.mutable_grad(), {2}, {5, 11}, 0));
  EXPECT_TRUE(near(parameter.value, {2}, {3, 3}, 0));
}

TEST(Parameter, AGradientOfAnotherShapeBecomesZeros) {
  Parameter parameter(Tensor::filled({2, 3}, 1));
  parameter.grad = Tensor::filled({3, 2}, 5);
  EXPECT_TRUE(near(parameter.mutable_grad(), Tensor::zeros({2, 3}), 0));
}

TEST(ZeroGradients, SetsEveryGradientToZeros) {
  Parameter reached(Tensor::filled({2}, 3)), never_reached(Tensor::filled({1, 3}, 4));
  reached.grad = Tensor::from({2}, {5, 7});
  const Tensor seen_before = reached.grad;
  zero_gradients({{"reached", &reached}, {"never reached", &never_reached}});
  EXPECT_TRUE(near(reached.grad, {2}, {0, 0}, 0));
  EXPECT_TRUE(near(never_reached.grad, {1, 3}, {0, 0, 0}, 0));
  EXPECT_TRUE(near(seen_before, {2}, {5, 7}, 0)) << "a copy keeps what it saw";
  EXPECT_TRUE(near(reached.value, {2}, {3, 3}, 0));
}

}  // namespace
}  // namespace plainformer
