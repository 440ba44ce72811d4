#include "data/byte_pair_learner.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "data/fixtures.h"
#include "ops/ways.h"

namespace plainformer {
namespace {

// What the plain way learns. The fast way must learn the same.
Merges learned(const WordCounts& counts, Index merges = 10, Index fewest = 2) {
  Ways chosen = ways;
  chosen.byte_pairs = Way::kPlain;
  const WaysInScope in_scope(chosen);
  const Merges plain = learn_merges(counts, merges, fewest);
  EXPECT_EQ(text_of(fast::learn_merges(counts, merges, fewest)), text_of(plain));
  return plain;
}

TEST(LearnBytePairs, JoinsTheMostFrequentPairFirst) {
  // Pairs: (l, o) 4, (o, w</w>) 3, (o, w) 1, (w, e) 1, (e, r</w>) 1. Then (lo, w</w>) 3. No other occurs
  // twice.
  EXPECT_EQ(learned({{"low", 3}, {"lower", 1}}), (Merges{{"l", "o"}, {"lo", "w</w>"}}));
  EXPECT_EQ(learned({{"low", 3}, {"lower", 1}}, 10, /*fewest=*/4), (Merges{{"l", "o"}}));
}

TEST(LearnBytePairs, CountsAgainAfterEachMerge) {
  // c o l d</w> 3, b o l d</w> 2, o l d e r</w> 2: (o, l) 7, (l, d</w>) 5, (c, o) 3.
  // c ol d</w>, b ol d</w>, ol d e r</w>: (ol, d</w>) 5, (c, ol) 3.
  // c old</w>, b old</w>, ol d e r</w>: (c, old</w>) 3.
  // Now (b, old</w>), (ol, d), (d, e) and (e, r</w>) occur twice each: (ol, d) is the largest.
  // old e r</w>: (old, e) is larger than (b, old</w>) and (e, r</w>). Then (olde, r</w>), then (b, old</w>).
  const Merges expected = {{"o", "l"},   {"ol", "d</w>"},   {"c", "old</w>"}, {"ol", "d"},
                           {"old", "e"}, {"olde", "r</w>"}, {"b", "old</w>"}};
  EXPECT_EQ(learned({{"cold", 3}, {"bold", 2}, {"older", 2}}), expected);
}

TEST(LearnBytePairs, TiesGoToTheLexicographicallyLargestPair) {
  EXPECT_EQ(learned({{"ab", 2}, {"ac", 2}, {"\xC3\xA4z", 2}, {"zz", 1}}),
            (Merges{{"\xC3\xA4", "z</w>"}, {"a", "c</w>"}, {"a", "b</w>"}}));
}

TEST(LearnBytePairs, OverlappingPairs) {
  // a a a a</w>: (a, a) twice, then aa a a</w> with (aa, a) and (a, a</w>), each as frequent as the word.
  EXPECT_EQ(learned({{"aaaa", 2}}), (Merges{{"a", "a"}, {"aa", "a"}, {"aaa", "a</w>"}}));
}

TEST(LearnBytePairs, StopsAtTheNumberOfMergesAndTellsItsProgress) {
  for (const Way way : {Way::kPlain, Way::kFast}) {
    Ways chosen = ways;
    chosen.byte_pairs = way;
    const WaysInScope in_scope(chosen);
    std::vector<Index> seen;
    const Merges merges =
        learn_merges({{"abcdef", 5}}, 3, /*fewest=*/2, [&](Index done) { seen.push_back(done); });
    EXPECT_EQ(merges.size(), 3u);
    EXPECT_EQ(seen, (std::vector<Index>{1, 2, 3}));
  }
}

TEST(LearnBytePairs, NothingToLearn) {
  EXPECT_EQ(learned({}), Merges{});
  EXPECT_EQ(learned({{"a", 7}}), Merges{});
  EXPECT_EQ(learned({{"ab", 7}}, 0), Merges{});
  EXPECT_EQ(learned({{"ab", 1}, {"cd", 1}}), Merges{});
}

TEST(LearnBytePairs, LearnsTheCorpusOfTheFixturesAsSubwordNmt) {
  EXPECT_EQ("#version: 0.2\n" + text_of(learned(words_of({"corpus.en", "corpus.de"}), 400)),
            fixture_text("corpus.codes"));
}

// Few different characters, so that counts are often equal, a symbol arises in several ways ("</w>" from its
// four characters, too), and pairs overlap.
TEST(LearnBytePairs, BothWaysLearnTheSameFromGeneratedTexts) {
  const std::vector<std::string> alphabets[] = {{"a", "b"},
                                                {"a", "b", "c", "\u00E4"},
                                                {"<", "/", "w", ">"},
                                                {"1", "\u00A0", "\u202F", "\xFF", "\U0001F600"}};
  Index merges = 0;
  for (std::uint64_t text = 0; text < 200; ++text) {
    Random random(random_stream(text, 0, 0));
    const std::vector<std::string>& alphabet = alphabets[text % std::size(alphabets)];
    WordCounts counts;
    for (Index words = 1 + random.below(40); words > 0; --words) {
      std::string word;
      for (Index length = 1 + random.below(12); length > 0; --length)
        word += alphabet[random.below(std::ssize(alphabet))];
      counts[word] += 1 + random.below(3);
    }
    merges += std::ssize(learned(counts, 300));
    if (HasFailure()) FAIL() << "text " << text;
  }
  EXPECT_GT(merges, 5000);
}

TEST(CountWords, LeavesOutWordsThatAreNone) {
  WordCounts counts;
  count_words(std::string(10'000, 'a') + " b " + std::string(10'001, 'c'), counts);
  EXPECT_EQ(counts, (WordCounts{{std::string(10'000, 'a'), 1}, {"b", 1}}));
}

}  // namespace
}  // namespace plainformer
