#include "lab/experiments/attention_cost.h"

#include <gtest/gtest.h>

#include "ops/ways.h"

namespace plainformer {
namespace {

// A clock of the test's own. It is read before the passes and after each: they take 5, 2, 7 and 3 seconds.
TEST(AttentionCost, TakesTheFastestPass) {
  const double times[] = {100, 105, 107, 114, 117};
  int reads = 0;
  const AttentionCostOptions options = {
      .heads = 1, .d_k = 3, .seconds = 16, .clock = [&] { return times[reads++]; }};
  EXPECT_EQ(cost_of_linear_attention(7, options).seconds, 2);
  EXPECT_EQ(reads, 5);
  reads = 0;
  EXPECT_EQ(cost_of_softmax_attention(7, options).seconds, 2);
}

TEST(AttentionCost, APassThatTakesLongerThanItsTimeIsMeasuredOnce) {
  double now = 0;
  const AttentionCostOptions options = {
      .heads = 1, .d_k = 3, .seconds = 1, .clock = [&] { return now += 10; }};
  EXPECT_EQ(cost_of_linear_attention(7, options).seconds, 10);
  EXPECT_EQ(now, 20);
}

double bytes_of(AttentionCost (*cost)(Index, const AttentionCostOptions&), Index len) {
  double now = 0;
  return cost(len, {.heads = 2, .d_k = 32, .seconds = 1, .clock = [&] { return now += 1; }}).bytes;
}

// Four times as long, four times as much memory: in both ways no tensor with n^2 elements.
TEST(AttentionCost, TheMemoryOfLinearAttentionGrowsWithTheLength) {
  for (const char* plain : {"none", "attention"}) {
    const WaysInScope way(plain_ways(plain, "test"));
    const double ratio = bytes_of(cost_of_linear_attention, 2048) / bytes_of(cost_of_linear_attention, 512);
    EXPECT_NEAR(ratio, 4, 0.6) << plain;
  }
}

// The plain way of equation (1) keeps its weights: the count sees them.
TEST(AttentionCost, TheMemoryOfEquationOneAsItIsWrittenGrowsWithTheSquare) {
  const WaysInScope plain(plain_ways("attention", "test"));
  const double ratio = bytes_of(cost_of_softmax_attention, 512) / bytes_of(cost_of_softmax_attention, 128);
  EXPECT_GT(ratio, 8);
}

}  // namespace
}  // namespace plainformer
