#include "core/multiply_adds.h"

#include <gtest/gtest.h>

#include "core/thread_pool.h"

namespace plainformer {
namespace {

TEST(MultiplyAddsCounter, TwoReadingsDifferByTheWorkBetweenThem) {
  const std::int64_t before = multiply_adds();
  EXPECT_EQ(multiply_adds(), before);
  count_multiply_adds(30);
  count_multiply_adds(0);
  count_multiply_adds(12);
  EXPECT_EQ(multiply_adds() - before, 42);
}

// A training step of the paper's base model makes some 10^13.
TEST(MultiplyAddsCounter, HoldsMoreThan32Bits) {
  const std::int64_t before = multiply_adds(), large = std::int64_t{1} << 50;
  count_multiply_adds(large);
  EXPECT_EQ(multiply_adds() - before, large);
}

TEST(MultiplyAddsCounter, LosesNothingOfManyThreads) {
  const int threads_before = threads();
  set_threads(7);
  const std::int64_t before = multiply_adds();
  parallel_for(20'000, 1, [](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) count_multiply_adds(i);
  });
  EXPECT_EQ(multiply_adds() - before, std::int64_t{19'999} * 20'000 / 2);
  set_threads(threads_before);
}

}  // namespace
}  // namespace plainformer
