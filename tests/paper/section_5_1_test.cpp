// Paper: 5.1 Training Data and Batching. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/random.h"
#include "core/special_symbols.h"
#include "data/batching.h"
#include "data/parallel_corpus.h"
#include "train/settings.h"

namespace plainformer {
namespace {

const std::vector<std::string> kEnglish = {"the winter is long", "winter and winter again"};
const std::vector<std::string> kGerman = {"der Winter ist lang", "der winter und der Winter"};

// "Sentences were encoded using byte-pair encoding".
TEST(Section51, SentencesWereEncodedUsingBytePairEncoding) {
  const ParallelCorpus corpus = ParallelCorpus::from_lines(kEnglish, kGerman, "text");
  BytePairEncoding byte_pairs = BytePairEncoding::learn(corpus.word_counts(), 4);
  const Vocabulary vocabulary = corpus.build_vocabulary(byte_pairs);
  PairCount too_long;
  const std::vector<SentencePair> pairs = corpus.encode(byte_pairs, vocabulary, 100, too_long);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_GT(pairs[0].source.size(), 4u) << "four words, but more pieces";
  EXPECT_EQ(BytePairEncoding::join(vocabulary.decode(pairs[0].source)), kEnglish[0]);
  EXPECT_EQ(BytePairEncoding::join(vocabulary.decode(pairs[1].target)), kGerman[1]);
}

// "... which has a shared source-target vocabulary": the counts of both sides add up to the merges, and a
// word has one id, whichever side it stands on.
TEST(Section51, TheVocabularyIsSharedBySourceAndTarget) {
  const ParallelCorpus corpus = ParallelCorpus::from_lines(kEnglish, kGerman, "text");
  const WordCounts counts = corpus.word_counts();
  EXPECT_EQ(counts.at("winter"), 3 + 1);
  BytePairEncoding byte_pairs = BytePairEncoding::learn(counts, 1000);
  const Vocabulary vocabulary = corpus.build_vocabulary(byte_pairs);
  PairCount too_long;
  const std::vector<SentencePair> pairs = corpus.encode(byte_pairs, vocabulary, 100, too_long);
  const int winter = vocabulary.id("winter");
  ASSERT_NE(winter, kUnknownId);
  EXPECT_EQ(std::count(pairs[0].source.begin(), pairs[0].source.end(), winter), 1);
  EXPECT_EQ(std::count(pairs[1].target.begin(), pairs[1].target.end(), winter), 1);
}

// "... of about 37000 tokens."
TEST(Section51, TheVocabularyHasAbout37000Tokens) {
  for (const char* preset : {"base", "big"}) EXPECT_EQ(preset_settings(preset).merges, 37000) << preset;
}

// Source and target lengths as in a text: mostly similar, from 15 to 60.
std::vector<SentencePair> random_pairs(std::size_t count) {
  Random random(random_stream(1, 2, 3));
  std::vector<SentencePair> pairs(count);
  for (SentencePair& pair : pairs) {
    const Index length = 15 + random.below(45);
    pair.source = std::vector<int>(length, 7);
    pair.target = std::vector<int>(length + random.below(7) - 3, 7);
  }
  return pairs;
}

// "Sentence pairs were batched together by approximate sequence length": no sentence is padded to twice its
// length, and batches of different lengths do not overlap.
TEST(Section51, SentencePairsWereBatchedTogetherByApproximateSequenceLength) {
  const std::vector<SentencePair> pairs = random_pairs(5000);
  std::map<Index, Index> longest_of_batch_from;  // by its shortest
  for (const std::vector<Index>& batch : make_batches(pairs, 1000, 1, 0)) {
    Index shortest = 1000, longest = 0, positions = 0;
    for (const Index number : batch) {
      const Index length = std::max(std::ssize(pairs[number].source), std::ssize(pairs[number].target));
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
      positions += length + 1;
    }
    EXPECT_LE(longest - shortest, 4);
    EXPECT_GE(10 * positions, 8 * (longest + 1) * std::ssize(batch));
    Index& known = longest_of_batch_from[shortest];
    known = std::max(known, longest);
  }
  EXPECT_GT(longest_of_batch_from.size(), 20u);
}

// "Each training batch contained a set of sentence pairs containing approximately 25000 source tokens and
// 25000 target tokens."
TEST(Section51, EachTrainingBatchContainedApproximately25000SourceAnd25000TargetTokens) {
  for (const char* preset : {"base", "big"}) {
    const Settings settings = preset_settings(preset);
    EXPECT_EQ(settings.training.accumulate, 1) << preset << ": a step is one batch";
    const std::vector<SentencePair> pairs = random_pairs(20000);
    Index full = 0, batches = 0;
    for (const std::vector<Index>& batch : make_batches(pairs, settings.batch_tokens, 1, 0)) {
      Index source = 0, target = 0;
      for (const Index number : batch) {
        source += std::ssize(pairs[number].source) + 1;  // and </s>
        target += std::ssize(pairs[number].target) + 1;
      }
      EXPECT_LE(std::max(source, target), 25000) << preset;
      full += std::min(source, target) > 21'000;
      ++batches;
    }
    EXPECT_GT(batches, 20) << preset;
    EXPECT_GE(10 * full, 9 * batches) << preset << ": nearly all";
  }
}

}  // namespace
}  // namespace plainformer
