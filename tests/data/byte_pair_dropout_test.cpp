// BPE-dropout: words that are cut another way each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/special_symbols.h"
#include "data/fixtures.h"
#include "data/parallel_corpus.h"

namespace plainformer {
namespace {

using Pieces = std::vector<std::string>;

constexpr const char* kText = "abc abd b abcabcx xxxxxy ab aba \xe7\x8c\xab low@@ </w> lowest\xff";

BytePairEncoding dropout_codes(const std::string& merges) {
  return BytePairEncoding::parse("#version: 0.2\n" + merges, "dropout_codes");
}

BytePairEncoding many_codes() {
  return dropout_codes(
      "a b\nabc a\nb c\na bc\nab c</w>\nx x\nx y</w>\nl o\nlo w\ne s\nes t</w>\nlow est</w>\n");
}

Random random(std::uint64_t seed) {
  return Random(random_stream(seed, 0, 0));
}

TEST(BytePairDropout, OfNothingIsApply) {
  BytePairEncoding encoding = many_codes();
  Random draws = random(1);
  EXPECT_EQ(encoding.sample(kText, 0, draws), encoding.apply(kText));
  BytePairEncoding learned = BytePairEncoding::load(fixture("corpus.codes"));
  const std::string text = fixture_text("corpus.en");
  EXPECT_EQ(learned.sample(text, 0, draws), learned.apply(text));
}

TEST(BytePairDropout, OfEverythingLeavesCharacters) {
  Random draws = random(1);
  EXPECT_EQ(many_codes().sample("low \xe7\x8c\xab\x61", 1, draws),
            (Pieces{"l@@", "o@@", "w", "\xe7\x8c\xab@@", "a"}));
}

TEST(BytePairDropout, TheTextStaysTheSame) {
  const BytePairEncoding encoding = many_codes();
  Random draws = random(1);
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(BytePairEncoding::join(encoding.sample("abcabcx xxxxxy lowest abc", 0.4, draws)),
              "abcabcx xxxxxy lowest abc");
}

// "abc" needs both merges, one after the other. "ab@@ c" is left if the first is kept and the second is not.
TEST(BytePairDropout, LeavesOutEachMergeWithItsProbability) {
  const BytePairEncoding encoding = dropout_codes("a b\nab c</w>\n");
  const double dropout = 0.3;
  const int count = 20000;
  int whole = 0, half = 0;
  Random draws = random(1);
  for (int i = 0; i < count; ++i) {
    const Pieces pieces = encoding.sample("abc", dropout, draws);
    whole += pieces == Pieces{"abc"};
    half += pieces == Pieces{"ab@@", "c"};
  }
  const auto expect_share = [&](int found, double probability) {
    EXPECT_NEAR(found, count * probability, 4 * std::sqrt(count * probability * (1 - probability)));
  };
  expect_share(whole, (1 - dropout) * (1 - dropout));
  expect_share(half, (1 - dropout) * dropout);
}

TEST(BytePairDropout, ALongWordTakesNoQuadraticTime) {
  BytePairEncoding encoding = many_codes();
  const std::string word(1'000'000, 'x');
  Random draws = random(1);
  EXPECT_EQ(encoding.sample(word, 0.5, draws), encoding.apply(word));
}

class SampledCorpus : public ::testing::Test {
 protected:
  const ParallelCorpus corpus_ = ParallelCorpus::from_lines(
      {"abc abd", "lowest lowest lowest", "\xe7\x8c\xab"}, {"xxxxy xxy", "low", "b"}, "text");
  BytePairEncoding encoding_ = many_codes();
  const Vocabulary vocabulary_ = corpus_.build_vocabulary_for_sampling(encoding_);

  std::vector<SentencePair> sample(double dropout, std::uint64_t epoch, Index max_length = 100) const {
    return corpus_.sample(encoding_, vocabulary_, max_length, dropout, /*seed=*/1, epoch);
  }
  std::vector<std::vector<int>> sources(const std::vector<SentencePair>& pairs) const {
    std::vector<std::vector<int>> sources;
    for (const SentencePair& pair : pairs) sources.push_back(pair.source);
    return sources;
  }
};

TEST_F(SampledCorpus, TheVocabularyKnowsEveryPiece) {
  for (std::uint64_t epoch = 0; epoch < 100; ++epoch) {
    for (const SentencePair& pair : sample(0.5, epoch)) {
      for (const std::vector<int>* side : {&pair.source, &pair.target})
        EXPECT_EQ(std::count(side->begin(), side->end(), kUnknownId), 0);
    }
  }
  EXPECT_GT(vocabulary_.size(), corpus_.build_vocabulary(encoding_).size());
}

TEST_F(SampledCorpus, EachEpochHasItsOwnCutAndTheSameEpochTheSame) {
  EXPECT_EQ(sources(sample(0.5, 3)), sources(sample(0.5, 3)));
  EXPECT_NE(sources(sample(0.5, 3)), sources(sample(0.5, 4)));
  EXPECT_EQ(sources(sample(0, 3)), sources(sample(0, 4)));
}

TEST_F(SampledCorpus, ASampleThatIsTooLongIsCutAsWithoutDropout) {
  for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
    const std::vector<SentencePair> pairs = sample(0.5, epoch, 3);
    ASSERT_EQ(pairs.size(), 2u) << "the first is too long in any case";
    EXPECT_EQ(vocabulary_.decode(pairs[0].source), (Pieces{"lowest", "lowest", "lowest"}));
  }
}

TEST(BytePairDropout, AnEmptyLineChangesNoCut) {
  const auto cuts_of = [](const std::vector<std::string>& lines) {
    BytePairEncoding encoding = many_codes();
    const ParallelCorpus corpus = ParallelCorpus::from_lines(lines, lines, "text");
    const Vocabulary vocabulary = corpus.build_vocabulary_for_sampling(encoding);
    std::vector<std::vector<int>> cuts;
    for (const SentencePair& pair :
         corpus.sample(encoding, vocabulary, /*max_length=*/100, /*dropout=*/0.5, /*seed=*/1, /*epoch=*/1)) {
      cuts.push_back(pair.source);
      cuts.push_back(pair.target);
    }
    return cuts;
  };
  EXPECT_EQ(cuts_of({"", kText, "", "abcabc abc"}), cuts_of({kText, "abcabc abc"}));
}

}  // namespace
}  // namespace plainformer
