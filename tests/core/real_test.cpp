#include "core/real.h"

#include <gtest/gtest.h>

#include <limits>

namespace plainformer {
namespace {

constexpr Index kLargest = std::numeric_limits<Index>::max();

TEST(CheckedArithmetic, MultipliesWhatFits) {
  EXPECT_EQ(checked_multiply(6, 7), 42);
  EXPECT_EQ(checked_multiply(0, kLargest), 0);
  EXPECT_EQ(checked_multiply(kLargest, 1), kLargest);
  EXPECT_EQ(checked_multiply(kLargest / 7, 7), kLargest / 7 * 7);  // the largest multiple of 7
}

TEST(CheckedArithmetic, RefusesAProductThatWraps) {
  EXPECT_THROW(checked_multiply(kLargest / 7 + 1, 7), std::overflow_error);
  EXPECT_THROW(checked_multiply(kLargest, kLargest), std::overflow_error);
  // With 64 bits this is (2^62 + 1) 4. Modulo 2^64 it would be 4: small, positive, and wrong.
  EXPECT_THROW(checked_multiply(kLargest / 2 + 2, 4), std::overflow_error);
}

TEST(CheckedArithmetic, AddsWhatFits) {
  EXPECT_EQ(checked_add(2, 3), 5);
  EXPECT_EQ(checked_add(kLargest, 0), kLargest);
  EXPECT_EQ(checked_add(kLargest - 7, 7), kLargest);
}

TEST(CheckedArithmetic, RefusesASumThatWraps) {
  EXPECT_THROW(checked_add(kLargest, 1), std::overflow_error);
  EXPECT_THROW(checked_add(kLargest - 7, 8), std::overflow_error);
}

}  // namespace
}  // namespace plainformer
