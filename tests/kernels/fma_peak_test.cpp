// The chains of multiply-adds that measure a processor's peak.
#include "kernels/fma_peak.h"

#include <gtest/gtest.h>

#include <chrono>

namespace plainformer {
namespace {

// x = x / 2 + 1 has the fixed point 2. All lanes arrive there if each chain takes all its steps.
TEST(FmaPeak, CountsTwoOperationsForEachStepOfEachLane) {
  for (const std::string& name : supported_kernels()) {
    const FmaRun run = run_fma_chains(find_kernels(name), 1000);
    EXPECT_GT(run.sum, 0) << name;
    EXPECT_EQ(run.operations, run.sum * 1000) << name;
  }
}

TEST(FmaPeak, TheFirstStepsAreThoseOfEveryLane) {
  for (const std::string& name : supported_kernels()) {
    const auto sum_after = [&](Index steps) { return run_fma_chains(find_kernels(name), steps).sum; };
    const double lanes = sum_after(1000) / 2;
    EXPECT_EQ(sum_after(1), sum_after(0) / 2 + lanes) << name;
    EXPECT_EQ(sum_after(2), sum_after(1) / 2 + lanes) << name;
  }
}

// No processor with units for vectors of 64 bytes runs at 6 GHz, or has more than two of them a core, which do
// 64 operations a cycle. A loop that the compiler optimized away would be faster.
TEST(FmaPeak, TakesTheTimeOfItsSteps) {
  constexpr Index kSteps = 1'000'000;
  for (const std::string& name : supported_kernels()) {
    const auto start = std::chrono::steady_clock::now();
    const FmaRun run = run_fma_chains(find_kernels(name), kSteps);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(run.operations, run.sum * kSteps) << name;
    EXPECT_LT(run.operations / seconds.count(), 64 * 6e9) << name;
  }
}

}  // namespace
}  // namespace plainformer
