#include "core/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <new>

#include "support/tensors.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

TEST(Tensor, IsRowMajor) {
  const Tensor x = Tensor::from({2, 3}, {0, 1, 2, 10, 11, 12});
  EXPECT_EQ(x.at({0, 0}), 0);
  EXPECT_EQ(x.at({0, 2}), 2);
  EXPECT_EQ(x.at({1, 0}), 10);
  EXPECT_EQ(x.data()[5], 12);
  EXPECT_EQ(x.dim(0), 2);
  EXPECT_EQ(x.dim(-1), 3);
}

TEST(Tensor, IsEmptyByDefault) {
  const Tensor x;
  EXPECT_TRUE(x.empty());
  EXPECT_EQ(x.rank(), 0);
  EXPECT_EQ(x.size(), 0);
  EXPECT_EQ(x.data(), nullptr);
}

TEST(Tensor, MayHaveNoElements) {
  Tensor x({2, 0, 3});
  EXPECT_TRUE(x.empty());
  EXPECT_EQ(x.rank(), 3);
  EXPECT_NO_THROW(x.mutable_data());
}

TEST(Tensor, FillsWhenAsked) {
  EXPECT_EQ(values(Tensor::zeros({2, 3})), std::vector<double>(6, 0));
  EXPECT_EQ(values(Tensor::filled({5}, 0.5)), std::vector<double>(5, 0.5));
}

TEST(Tensor, NeedsAsManyValuesAsElements) {
  EXPECT_THROW(Tensor::from({2, 3}, {1, 2, 3, 4, 5}), std::logic_error);
}

#ifndef NDEBUG
TEST(Tensor, StartsAsNaNInDebugBuilds) {
  { const Tensor used = Tensor::filled({7}, 1); }  // so that the storage has been something else before
  const Tensor x({7});
  for (double value : values(x)) EXPECT_TRUE(std::isnan(value));
}
#endif

TEST(Tensor, CopiesShareTheirStorage) {
  const Tensor x = Tensor::from({3}, {1, 2, 3});
  const Tensor copy = x;
  EXPECT_EQ(copy.data(), x.data());
}

TEST(Tensor, AWriterGetsStorageOfItsOwn) {
  const Tensor original = Tensor::from({3}, {1, 2, 3});
  Tensor copy = original;
  copy.mutable_data()[0] = 9;
  EXPECT_NE(copy.data(), original.data());
  EXPECT_EQ(values(original), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(values(copy), (std::vector<double>{9, 2, 3}));
}

TEST(Tensor, TheOriginalMayWriteToo) {
  Tensor original = Tensor::from({3}, {1, 2, 3});
  const Tensor copy = original;
  original.mutable_data()[0] = 9;
  EXPECT_EQ(values(copy), (std::vector<double>{1, 2, 3}));
}

TEST(Tensor, ASoleOwnerWritesInPlace) {
  Tensor x = Tensor::from({3}, {1, 2, 3});
  const Real* before = x.data();
  { const Tensor copy_that_is_gone = x; }
  EXPECT_EQ(x.mutable_data(), before);
  const Tensor moved = std::move(x);
  EXPECT_EQ(moved.data(), before);
}

TEST(Tensor, WhatWasMovedFromIsEmpty) {
  Tensor x = Tensor::from({3}, {1, 2, 3}), y = Tensor::zeros({2, 5});
  const Tensor constructed = std::move(x);
  EXPECT_EQ(x.rank(), 0);
  EXPECT_EQ(x.to_string(), Tensor().to_string());
  EXPECT_THROW((void)x.at({0}), std::logic_error);
  x = std::move(y);
  EXPECT_EQ(x.shape(), (Shape{2, 5}));
  EXPECT_EQ(y.rank(), 0);
  EXPECT_EQ(y.data(), nullptr);
  EXPECT_EQ(values(constructed), (std::vector<double>{1, 2, 3}));
}

TEST(Tensor, MayBeAssignedToItself) {
  Tensor x = Tensor::from({3}, {1, 2, 3});
  Tensor& same = x;
  x = same;
  EXPECT_EQ(values(x), (std::vector<double>{1, 2, 3}));
  x = std::move(same);
  EXPECT_EQ(values(x), (std::vector<double>{1, 2, 3}));
}

TEST(Tensor, ReshapedSeesTheSameElements) {
  const Tensor x = Tensor::from({2, 3}, {0, 1, 2, 3, 4, 5});
  const Tensor y = x.reshaped({3, 2});
  EXPECT_EQ(y.data(), x.data());
  EXPECT_EQ(y.at({2, 0}), 4);
  EXPECT_EQ(x.shape(), (Shape{2, 3}));
}

TEST(Tensor, WritingToAReshapedOneLeavesTheOriginalAlone) {
  const Tensor x = Tensor::from({2, 3}, {0, 1, 2, 3, 4, 5});
  Tensor y = x.reshaped({6});
  y.mutable_data()[5] = 9;
  EXPECT_EQ(x.at({1, 2}), 5);
}

TEST(Tensor, ReshapedKeepsTheNumberOfElements) {
  const Tensor x({2, 3});
  const std::string message = thrown_message<std::logic_error>([&] { (void)x.reshaped({2, 4}); });
  EXPECT_NE(message.find("cannot reshape [2, 3] to [2, 4]"), std::string::npos) << message;
}

TEST(Tensor, AtIsChecked) {
  const Tensor x({2, 3});
  EXPECT_THROW((void)x.at({0}), std::logic_error);
  EXPECT_THROW((void)x.at({2, 0}), std::logic_error);
  EXPECT_THROW((void)x.at({0, 3}), std::logic_error);
  EXPECT_THROW((void)x.at({0, -1}), std::logic_error);
}

TEST(Tensor, PrintsItself) {
  EXPECT_EQ(Tensor::from({2, 2}, {1, 2.5, -3, 0}).to_string(), "[2, 2] {1, 2.5, -3, 0}");
}

TEST(Tensor, RefusesSizesThatNoMemoryHolds) {
  constexpr Index kLargestIndex = std::numeric_limits<Index>::max();
  constexpr Index kReals = kLargestIndex / Index{sizeof(Real)};
  EXPECT_THROW(Tensor({kLargestIndex, kLargestIndex}),
               std::overflow_error);                        // more elements than an Index counts
  EXPECT_THROW(Tensor({kReals + 1}), std::overflow_error);  // more bytes
  EXPECT_THROW(Tensor({kReals}), std::bad_alloc);
}

}  // namespace
}  // namespace plainformer
