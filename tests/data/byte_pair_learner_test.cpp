#include "data/byte_pair_learner.h"

#include <gtest/gtest.h>

#include "data/fast/byte_pair_learner.h"
#include "data/fixtures.h"
#include "data/word_counts.h"

namespace plainformer {
namespace {

// What the plain way learns. The fast way must learn the same.
Merges learned(const WordCounts& counts, Index merges = 10) {
  const Merges plain = learn_merges(counts, merges);
  EXPECT_EQ(text_of(fast::learn_merges(counts, merges)), text_of(plain));
  return plain;
}

TEST(LearnBytePairs, JoinsTheMostFrequentPairFirst) {
  // Pairs: (l, o) 4, (o, w</w>) 3, (o, w) 1, (w, e) 1, (e, r</w>) 1. Then (lo, w</w>) 3. No other occurs
  // twice.
  EXPECT_EQ(learned({{"low", 3}, {"lower", 1}}), (Merges{{"l", "o"}, {"lo", "w</w>"}}));
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
  for (const auto learn : {learn_merges, fast::learn_merges}) {
    std::vector<Index> seen;
    const Merges merges = learn({{"abcdef", 5}}, 3, [&](Index done, Index total) {
      EXPECT_EQ(total, 3);
      seen.push_back(done);
    });
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

TEST(LearnBytePairs, LearnsTheCorpusOfTheFixtures) {
  EXPECT_EQ(learned(words_of({"corpus.en", "corpus.de"}), 400).size(), 336u);
}

// The fixtures in which subword-nmt, and so the fast way, miscounts: the merges that both ways learn first, and
// the first one in which they differ.
TEST(LearnBytePairs, DepartsFromSubwordNmtOnlyWhereThatMiscounts) {
  struct Departure {
    const char* name;
    std::size_t at;
    Merge fast, plain;
  };
  const Departure departures[] = {
      {"white_space.txt", 12, {"1", "a"}, {"01", "a</w>"}},
      {"rare_pairs_1.txt", 11, {"\u202F", "\u202F2"}, {"\u202F1", "11"}},
      {"rare_pairs_2.txt", 30, {"\u00A00", "\u00A0</w>"}, {"\u00A01", "11"}},
      {"rare_pairs_3.txt", 15, {"2", "\u202F</w>"}, {"1\u202F", "1\u202F"}},
  };
  for (const auto& [name, at, in_fast, in_plain] : departures) {
    SCOPED_TRACE(name);
    const Merges plain = learn_merges(words_of({name}), 400),
                 fast = fast::learn_merges(words_of({name}), 400);
    ASSERT_GT(std::min(plain.size(), fast.size()), at);
    EXPECT_TRUE(std::equal(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(at), fast.begin()));
    EXPECT_EQ(text_of({fast[at]}), text_of({in_fast}));
    EXPECT_EQ(text_of({plain[at]}), text_of({in_plain}));
  }
}

TEST(CountWords, LeavesOutWordsThatAreNone) {
  WordCounts counts;
  count_words(std::string(10'000, 'a') + " b " + std::string(10'001, 'c'), counts);
  EXPECT_EQ(counts, (WordCounts{{std::string(10'000, 'a'), 1}, {"b", 1}}));
}

}  // namespace
}  // namespace plainformer
