// Tensors, how loops write into them, and parameters with their gradients.
#include "core/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <new>

#include "core/writable_tensor.h"
#include "support/tensors.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

TEST(Tensor, IsRowMajorAndPrintsItself) {
  const Tensor x = Tensor::from({2, 3}, {0, 1, 2, 10, 11, 2.5});
  EXPECT_EQ(x.at({0, 2}), 2);
  EXPECT_EQ(x.at({1, 0}), 10);
  EXPECT_EQ(x.data()[5], 2.5);
  EXPECT_EQ(x.dim(0), 2);
  EXPECT_EQ(x.dim(-1), 3);
  EXPECT_EQ(x.to_string(), "[2, 3] {0, 1, 2, 10, 11, 2.5}");
  EXPECT_THROW(Tensor::from({2, 3}, {1, 2, 3, 4, 5}), std::logic_error);
}

TEST(Tensor, MayBeEmpty) {
  const Tensor x;
  EXPECT_TRUE(x.empty());
  EXPECT_EQ(x.rank(), 0);
  EXPECT_EQ(x.data(), nullptr);
  Tensor y({2, 0, 3});
  EXPECT_TRUE(y.empty());
  EXPECT_EQ(y.rank(), 3);
  EXPECT_NO_THROW(y.mutable_data());
}

#ifndef NDEBUG
TEST(Tensor, StartsAsNaNInDebugBuilds) {
  { const Tensor used = Tensor::filled({7}, 1); }  // so that the storage has been something else before
  for (double value : values(Tensor({7}))) EXPECT_TRUE(std::isnan(value));
}
#endif

TEST(Tensor, ItsCopiesShareTheirStorageUntilOneIsWritten) {
  Tensor x = tensor({3}, {1, 2, 3});
  const Tensor copy = x;
  EXPECT_EQ(copy.data(), x.data());
  x.mutable_data()[0] = 9;
  EXPECT_TRUE(near(x, {3}, {9, 2, 3}, 0));
  EXPECT_TRUE(near(copy, {3}, {1, 2, 3}, 0));

  const Real* before = x.data();
  { const Tensor copy_that_is_gone = x; }
  EXPECT_EQ(x.mutable_data(), before) << "a sole owner writes in place";
  const Tensor moved = std::move(x);
  EXPECT_EQ(moved.data(), before);
}

TEST(Tensor, WhatWasMovedFromIsEmpty) {
  Tensor x = tensor({3}, {1, 2, 3}), y = Tensor::zeros({2, 5});
  const Tensor constructed = std::move(x);
  EXPECT_EQ(x.to_string(), Tensor().to_string());
  EXPECT_THROW((void)x.at({0}), std::logic_error);
  x = std::move(y);
  EXPECT_EQ(x.shape(), (Shape{2, 5}));
  EXPECT_EQ(y.rank(), 0);
  EXPECT_EQ(y.data(), nullptr);
  EXPECT_TRUE(near(constructed, {3}, {1, 2, 3}, 0));
}

TEST(Tensor, ReshapedSeesTheSameElementsAndWritesItsOwn) {
  const Tensor x = tensor({2, 3}, {0, 1, 2, 3, 4, 5});
  Tensor y = x.reshaped({3, 2});
  EXPECT_EQ(y.data(), x.data());
  EXPECT_EQ(y.at({2, 0}), 4);
  y.mutable_data()[5] = 9;
  EXPECT_EQ(x.at({1, 2}), 5);
  const std::string message = thrown_message<std::logic_error>([&] { (void)x.reshaped({2, 4}); });
  EXPECT_TRUE(contains(message, "cannot reshape [2, 3] to [2, 4]")) << message;
}

TEST(Tensor, AtIsChecked) {
  const Tensor x({2, 3});
  for (const std::initializer_list<Index> index : {std::initializer_list<Index>{0}, {2, 0}, {0, 3}, {0, -1}})
    EXPECT_THROW((void)x.at(index), std::logic_error);
}

TEST(Tensor, RefusesSizesThatNoMemoryHolds) {
  constexpr Index kLargestIndex = std::numeric_limits<Index>::max();
  constexpr Index kReals = kLargestIndex / Index{sizeof(Real)};
  EXPECT_THROW(Tensor({kLargestIndex, kLargestIndex}), std::overflow_error);  // more elements than an Index
  EXPECT_THROW(Tensor({kReals + 1}), std::overflow_error);                    // more bytes
  EXPECT_THROW(Tensor({kReals}), std::bad_alloc);
}

// --- writing by indices ---

TEST(TensorWriter, WritesUnderTheIndicesUnderWhichATensorReads) {
  Tensor x = Tensor::zeros({2, 3, 5, 7});
  const Tensor copy = x;
  const TensorWriter y(x);
  for (Index a = 0, i = 0; a < 2; ++a)
    for (Index b = 0; b < 3; ++b)
      for (Index c = 0; c < 5; ++c)
        for (Index d = 0; d < 7; ++d) {
          y(a, b, c, d) += static_cast<Real>(++i);
          EXPECT_EQ(x(a, b, c, d), i);
          EXPECT_EQ(x.at({a, b, c, d}), i);
        }
  EXPECT_TRUE(near(copy, Tensor::zeros(x.shape()), 0)) << "a copy made before";
}

// As if the leading axes were one: [2, 3, 5] read as [6, 5] or as [30].
TEST(TensorWriter, FewerIndicesTakeTheLeadingAxesTogether) {
  Tensor x = random_tensor({2, 3, 5}, 1);
  const Tensor rows = x.reshaped({6, 5});
  for (Index row = 0; row < 6; ++row)
    for (Index j = 0; j < 5; ++j) {
      EXPECT_EQ(x(row, j), rows.at({row, j}));
      EXPECT_EQ(x(row * 5 + j), rows.at({row, j}));
    }
  const TensorWriter y(x);
  y(5, 2) = 100;
  y(3) = 200;
  EXPECT_EQ(x.at({1, 2, 2}), 100);
  EXPECT_EQ(x.at({0, 0, 3}), 200);

  Tensor vector = tensor({3}, {1, 2, 3});
  const TensorWriter to(vector);
  to(0, 1) = 7;
  EXPECT_TRUE(near(vector, {3}, {1, 7, 3}, 0)) << "a vector is one row";
}

// --- parameters ---

TEST(Parameter, ItsGradientIsEmptyUntilItIsAddedTo) {
  const Index many = 10'000'000;  // more than the pool has free
  const Parameter parameter(Tensor::filled({many}, 3));
  const std::uint64_t before = storage_statistics().system_bytes;
  Parameter copy = parameter;
  EXPECT_TRUE(copy.grad.empty());
  EXPECT_EQ(storage_statistics().system_bytes, before);

  copy.mutable_grad().mutable_data()[many - 1] = 5;
  EXPECT_GE(storage_statistics().system_bytes, before + many * sizeof(Real));
  EXPECT_EQ(copy.grad.at({many - 1}), 5);
  EXPECT_EQ(copy.grad.at({0}), 0);
  EXPECT_TRUE(parameter.grad.empty());
}

TEST(Parameter, MutableGradKeepsWhatWasAddedUnlessItsShapeIsAnother) {
  Parameter parameter(Tensor::filled({2}, 3));
  { const Tensor used = Tensor::filled({2}, 7); }  // its storage comes next
  EXPECT_TRUE(near(parameter.mutable_grad(), {2}, {0, 0}, 0));
  parameter.mutable_grad().mutable_data()[1] = 11;
  EXPECT_TRUE(near(parameter.mutable_grad(), {2}, {0, 11}, 0));
  EXPECT_TRUE(near(parameter.value, {2}, {3, 3}, 0));
  parameter.grad = Tensor::filled({2, 1}, 5);
  EXPECT_TRUE(near(parameter.mutable_grad(), Tensor::zeros({2}), 0));
}

TEST(Parameter, ZeroGradientsSetsEveryGradientToZeros) {
  Parameter reached(Tensor::filled({2}, 3)), never_reached(Tensor::filled({1, 3}, 4));
  reached.grad = tensor({2}, {5, 7});
  const Tensor seen_before = reached.grad;
  zero_gradients({{"reached", &reached}, {"never reached", &never_reached}});
  EXPECT_TRUE(near(reached.grad, {2}, {0, 0}, 0));
  EXPECT_TRUE(near(never_reached.grad, {1, 3}, {0, 0, 0}, 0));
  EXPECT_TRUE(near(seen_before, {2}, {5, 7}, 0)) << "a copy keeps what it saw";
}

}  // namespace
}  // namespace plainformer
