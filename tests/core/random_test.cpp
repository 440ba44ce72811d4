#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace plainformer {
namespace {

// A deviation of five standard deviations happens once in a million; and the draws are always the same ones.
constexpr double kSigmas = 5;

// These values are a promise: a change of them changes every trained model. They come from a second
// implementation, in Python's integers of any size.
TEST(RandomNumbers, AreFixedForever) {
  EXPECT_EQ(mix(0), 0u);
  EXPECT_EQ(mix(1), 0x688990c0u);
  EXPECT_EQ(mix(0xffffffffu), 0x6768824au);
  const RandomStream stream = {1, 2};
  EXPECT_EQ(random_bits(stream, 0), 0xcaffe390u);
  EXPECT_EQ(random_bits(stream, 1), 0xd1132181u);
  EXPECT_EQ(random_bits(stream, 2), 0xd4b2dc82u);
  EXPECT_EQ(random_bits({2, 1}, 0), 0x123a4a88u);
}

TEST(RandomNumbers, StreamsAreFixedForever) {
  const RandomStream stream = random_stream(1, 2, 3);
  EXPECT_EQ(stream.first, 0x9cd857eeu);
  EXPECT_EQ(stream.second, 0x1306ecc1u);
  const RandomStream high_word = random_stream(std::uint64_t{1} << 40, 0, 0);
  EXPECT_EQ(high_word.first, 0xe756ab97u);
  EXPECT_EQ(high_word.second, 0x32d21dd4u);
}

TEST(RandomNumbers, DrawsAreFixedForever) {
  Random uniform(random_stream(1, 2, 3));
  EXPECT_DOUBLE_EQ(uniform.uniform(), 0.4976045178482309);
  EXPECT_DOUBLE_EQ(uniform.uniform(), 0.40568078600335866);
  Random normal(random_stream(1, 2, 3));
  EXPECT_NEAR(normal.normal(), -0.9800123763432598, 1e-14);
  EXPECT_NEAR(normal.normal(), 0.13732711772845796, 1e-14);
  Random below(random_stream(1, 2, 3));
  for (Index expected : {49, 40, 59, 77, 37, 8, 8, 26}) EXPECT_EQ(below.below(100), expected);
}

TEST(RandomNumbers, DifferBySeedStepAndSite) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> streams;
  const auto is_new = [&](std::uint64_t seed, std::uint64_t step, std::uint64_t site) {
    const RandomStream stream = random_stream(seed, step, site);
    return streams.insert({stream.first, stream.second}).second;
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint64_t step = 0; step < 20; ++step)
      for (std::uint64_t site = 0; site < 20; ++site) EXPECT_TRUE(is_new(seed, step, site));
  // All sites of a step of the largest model: 256 layers in each stack, of 2 and 3 sub-layers.
  for (std::uint64_t site = 20; site < random_site::kFirstLayer + 256 * (2 + 3); ++site)
    EXPECT_TRUE(is_new(/*seed=*/1, /*step=*/7, site)) << site;
}

// Pearson's chi-squared statistic of 256 equally likely values: mean 255, variance 510.
double chi_squared(const std::array<int, 256>& counts, double expected) {
  double sum = 0;
  for (int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(RandomNumbers, EveryByteIsUniform) {
  constexpr std::uint32_t kDraws = 1u << 18;
  const RandomStream stream = random_stream(7, 0, 0);
  for (int shift : {0, 8, 16, 24}) {
    std::array<int, 256> counts = {};
    for (std::uint32_t i = 0; i < kDraws; ++i) ++counts[random_bits(stream, i) >> shift & 0xff];
    const double statistic = chi_squared(counts, kDraws / 256.0);
    EXPECT_NEAR(statistic, 255, kSigmas * std::sqrt(510.0)) << "byte at bit " << shift;
  }
}

TEST(RandomNumbers, NeighborsAreUncorrelated) {
  constexpr int kDraws = 1 << 18;
  const double standard_error = 1 / std::sqrt(double(kDraws));
  const RandomStream stream = random_stream(7, 1, 0), next_step = random_stream(7, 2, 0);
  double by_index = 0, by_step = 0;  // correlations of uniforms, whose variance is 1/12
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    const auto centered = [](std::uint32_t bits) { return bits / 4294967296.0 - 0.5; };
    by_index += 12 * centered(random_bits(stream, i)) * centered(random_bits(stream, i + 1)) / kDraws;
    by_step += 12 * centered(random_bits(stream, i)) * centered(random_bits(next_step, i)) / kDraws;
  }
  EXPECT_NEAR(by_index, 0, kSigmas * standard_error);
  EXPECT_NEAR(by_step, 0, kSigmas * standard_error);
}

TEST(RandomNumbers, NormalHasMeanZeroAndVarianceOne) {
  constexpr int kDraws = 200'000;
  Random random(random_stream(4, 0, 0));
  double sum = 0, squares = 0, fourth_powers = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth_powers += x * x * x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, kSigmas * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1, kSigmas * std::sqrt(2.0 / kDraws));         // the variance of x^2 is 2,
  EXPECT_NEAR(fourth_powers / kDraws, 3, kSigmas * std::sqrt(96.0 / kDraws));  // and that of x^4 is 96
}

// With 3 * 2^29 values for 2^32 numbers, plain multiply-and-shift gives values 0 and 1 (mod 3) three numbers
// each, and value 2 only two: 3/8, 3/8, 2/8 instead of thirds.
TEST(RandomNumbers, BelowIsUnbiasedAndStaysBelow) {
  constexpr int kDraws = 90'000;
  Random random(random_stream(6, 0, 0));
  std::array<int, 3> counts = {};
  for (int i = 0; i < kDraws; ++i) {
    const Index value = random.below(Index{3} << 29);
    ASSERT_TRUE(value >= 0 && value < Index{3} << 29) << value;
    ++counts[value % 3];
  }
  EXPECT_EQ(random.below(1), 0);
  for (int count : counts) EXPECT_NEAR(count, kDraws / 3.0, kSigmas * std::sqrt(kDraws / 3.0 * 2 / 3));
}

TEST(RandomNumbers, BelowRefusesBoundsThatItCannotServe) {
  Random random(random_stream(1, 0, 0));
  EXPECT_THROW(random.below(0), std::logic_error);
  EXPECT_THROW(random.below(-1), std::logic_error);
  constexpr std::int64_t kLargestIndex = std::numeric_limits<Index>::max(), kMost = std::int64_t{1} << 31;
  EXPECT_NO_THROW(random.below(static_cast<Index>(std::min(kMost, kLargestIndex))));
  if (kLargestIndex > kMost) {
    EXPECT_THROW(random.below(static_cast<Index>(kMost + 1)), std::logic_error);
  }
}

// --- the register ---

// Runs of earlier versions are repeated and resumed, so these numbers never change.
TEST(RandomStreams, HaveTheNumbersOfPastRuns) {
  EXPECT_EQ(random_site::kFirstWeight, 0u);
  EXPECT_EQ(random_site::kGrammar, 0u);
  EXPECT_EQ(random_site::kShuffle, 0u);
  EXPECT_EQ(random_site::kSourceInput, 0);
  EXPECT_EQ(random_site::kTargetInput, 1);
  EXPECT_EQ(random_site::kFirstLayer, 2);
}

}  // namespace
}  // namespace plainformer
