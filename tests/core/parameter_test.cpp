#include "core/parameter.h"

#include <gtest/gtest.h>

#include "tensors.h"

namespace plainformer {
namespace {

std::uint64_t bytes_of_system() {
  return storage_statistics().system_bytes;
}

TEST(Parameter, HasAGradientOfZerosThatTakesMemoryOnceItIsUsed) {
  const Index many = 10'000'000;  // more than the pool has free
  const Parameter parameter(Tensor::filled({many}, 3));
  const std::uint64_t before = bytes_of_system();
  Parameter copy = parameter;
  EXPECT_EQ(copy.grad.shape(), Shape({many}));
  EXPECT_EQ(bytes_of_system(), before);

  copy.grad.mutable_data()[many - 1] = 5;
  EXPECT_GE(bytes_of_system(), before + many * sizeof(Real));
  EXPECT_EQ(copy.grad.at({many - 1}), 5);
  EXPECT_EQ(copy.grad.at({0}), 0);
  EXPECT_EQ(parameter.grad.at({many - 1}), 0);
}

TEST(Parameter, AGradientIsATensor) {
  Parameter parameter(Tensor::filled({2}, 3));
  EXPECT_TRUE(near(parameter.grad, {2}, {0, 0}, 0));
  parameter.grad = Tensor::from({2}, {5, 7});
  Tensor& tensor = parameter.grad;
  tensor.mutable_data()[1] = 11;
  EXPECT_TRUE(near(parameter.grad, {2}, {5, 11}, 0));
}

}  // namespace
}  // namespace plainformer
