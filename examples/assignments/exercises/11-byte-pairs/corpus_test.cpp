// Merges of real sentences, compared with those that subword-nmt learned from them.
#include <gtest/gtest.h>

#include <algorithm>

#include "data/byte_pair_learner.h"
#include "data/fixtures.h"
#include "data/text.h"

namespace plainformer {
namespace {

// The pairs of this corpus are so few that subword-nmt's counts are exact.
TEST(LearnedFromACorpus, TheMergesAreThoseOfSubwordNmt) {
  WordCounts counts;
  for (const char* const name : {"corpus.en", "corpus.de"})
    for (const std::string& line : read_lines(fixture(name))) count_words(line, counts);

  std::string codes = "#version: 0.2\n";
  for (const Merge& merge : learn_merges(counts, 100)) codes += merge.first + " " + merge.second + "\n";

  const std::string expected = fixture_text("corpus.codes");
  EXPECT_EQ(codes, expected.substr(0, codes.size()));
  EXPECT_EQ(std::count(codes.begin(), codes.end(), '\n'), 101);
}

}  // namespace
}  // namespace plainformer
