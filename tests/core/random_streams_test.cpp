// The register of random streams: no two sites that a step draws from are equal.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "core/random.h"

namespace plainformer {
namespace {

// The model with the most layers that there may be: 256 in each stack.
constexpr int kMostLayers = 256, kSitesOfEncoderLayer = 2, kSitesOfDecoderLayer = 3;

// The sites of one step of training, by name.
std::multimap<std::uint64_t, std::string> sites_of_a_step() {
  std::multimap<std::uint64_t, std::string> sites = {
      {random_site::kSourceInput, "source"},
      {random_site::kTargetInput, "target"},
  };
  for (int i = 0; i < kMostLayers * (kSitesOfEncoderLayer + kSitesOfDecoderLayer); ++i) {
    const int site = random_site::kFirstLayer + i;
    sites.emplace(site, "sub-layer");
  }
  return sites;
}

TEST(RandomStreams, AreDifferentForAllSitesOfAStep) {
  const auto sites = sites_of_a_step();
  std::set<std::uint64_t> numbers;
  std::set<std::pair<std::uint32_t, std::uint32_t>> streams;
  for (const auto& [site, name] : sites) {
    EXPECT_TRUE(numbers.insert(site).second) << name << " " << site;
    const RandomStream stream = random_stream(/*seed=*/1, /*step=*/7, site);
    EXPECT_TRUE(streams.insert({stream.first, stream.second}).second) << name << " " << site;
  }
  EXPECT_EQ(numbers.size(), 2u + 5 * 256);
}

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
