// 5.1 Training Data and Batching: pairs batched together by approximate sequence length.
#include "data/batching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/random.h"
#include "core/strings.h"

namespace plainformer {
namespace {

SentencePair pair_of(Index source_len, Index target_len) {
  return {.source = std::vector<int>(source_len, 7), .target = std::vector<int>(target_len, 7)};
}

// Mostly short sentences, a few long ones, and source and target of different lengths.
std::vector<SentencePair> skewed_pairs(Index count) {
  Random random(random_stream(1, 2, 3));
  std::vector<SentencePair> pairs;
  for (Index i = 0; i < count; ++i) {
    const Index length = random.below(10) == 0 ? 20 + random.below(60) : 3 + random.below(12);
    pairs.push_back(pair_of(length, std::max<Index>(1, length + random.below(7) - 3)));
  }
  return pairs;
}

Index padded(const std::vector<SentencePair>& pairs, const std::vector<Index>& batch,
             std::vector<int> SentencePair::*side) {
  Index longest = 0;
  for (Index number : batch) longest = std::max(longest, std::ssize(pairs[number].*side) + 1);
  return longest * std::ssize(batch);
}

TEST(Batching, EachPairOccursOnceAndEachSideFitsWithItsPaddingAndItsSpecialSymbol) {
  const auto pairs = skewed_pairs(1000);
  std::vector<Index> numbers;
  for (const auto& batch : make_batches(pairs, 200, 1, 0)) {
    EXPECT_FALSE(batch.empty());
    EXPECT_LE(padded(pairs, batch, &SentencePair::source), 200);
    EXPECT_LE(padded(pairs, batch, &SentencePair::target), 200);
    numbers.insert(numbers.end(), batch.begin(), batch.end());
  }
  std::sort(numbers.begin(), numbers.end());
  ASSERT_EQ(numbers.size(), 1000u);
  for (Index i = 0; i < 1000; ++i) EXPECT_EQ(numbers[i], i);
}

TEST(Batching, FillsABatchToTheLastTokenOfEitherSide) {
  struct Example {
    Index pairs, source_len, target_len, max_tokens;
    std::size_t batches;
  };
  // Four tokens and </s> are five, and 4 * 5 = 20.
  const Example examples[] = {{8, 4, 4, 20, 2}, {8, 4, 4, 19, 3}, {4, 4, 1, 20, 1},
                              {4, 1, 4, 20, 1}, {4, 5, 1, 20, 2}, {4, 1, 5, 20, 2}};
  for (const auto& [pairs, source_len, target_len, max_tokens, batches] : examples) {
    const std::vector<SentencePair> equal(static_cast<std::size_t>(pairs), pair_of(source_len, target_len));
    EXPECT_EQ(make_batches(equal, max_tokens, 1, 0).size(), batches) << source_len << " " << target_len;
  }
}

// Two pairs of 10 source tokens fill the first batch; the six of 3 tokens that follow fill one of their own.
TEST(Batching, ABatchIsNotBoundByTheLengthsOfTheOneBefore) {
  std::vector<SentencePair> pairs(2, pair_of(9, 1));
  pairs.insert(pairs.end(), 6, pair_of(2, 2));
  EXPECT_EQ(make_batches(pairs, 20, 1, 0).size(), 2u);
}

TEST(Batching, ALongerPairIsABatchByItself) {
  const std::vector<SentencePair> pairs = {pair_of(3, 3), pair_of(300, 3), pair_of(3, 300), pair_of(2, 2)};
  auto batches = make_batches(pairs, 20, 1, 0);
  for (auto& batch : batches) std::sort(batch.begin(), batch.end());
  std::sort(batches.begin(), batches.end());
  EXPECT_EQ(batches, (std::vector<std::vector<Index>>{{0, 3}, {1}, {2}}));
}

TEST(Batching, PaddingIsRare) {
  const auto pairs = skewed_pairs(5000);
  Index padded_tokens = 0, tokens = 0;
  for (const auto& batch : make_batches(pairs, 1000, 1, 0)) {
    padded_tokens +=
        padded(pairs, batch, &SentencePair::source) + padded(pairs, batch, &SentencePair::target);
    for (Index number : batch)
      tokens += std::ssize(pairs[number].source) + std::ssize(pairs[number].target) + 2;
  }
  EXPECT_LT(static_cast<double>(padded_tokens - tokens), 0.10 * static_cast<double>(padded_tokens));
}

// Seed and epoch change the pairs that share a batch, not only the order of the batches.
TEST(Batching, DependsOnSeedAndEpochAlone) {
  const auto pairs = skewed_pairs(300);
  const auto sorted_batches = [&](std::uint64_t seed, std::uint64_t epoch) {
    auto batches = make_batches(pairs, 200, seed, epoch);
    for (auto& batch : batches) std::sort(batch.begin(), batch.end());
    std::sort(batches.begin(), batches.end());
    return batches;
  };
  EXPECT_EQ(make_batches(pairs, 200, 1, 0), make_batches(pairs, 200, 1, 0));
  EXPECT_NE(sorted_batches(1, 1), sorted_batches(1, 0));
  EXPECT_NE(sorted_batches(2, 0), sorted_batches(1, 0));
}

TEST(Batching, DoesNotGoFromShortToLong) {
  const auto pairs = skewed_pairs(1000);
  const auto batches = make_batches(pairs, 200, 1, 0);
  Index shorter_after_longer = 0;
  for (std::size_t i = 1; i < batches.size(); ++i) {
    shorter_after_longer += pairs[batches[i][0]].target.size() < pairs[batches[i - 1][0]].target.size();
  }
  EXPECT_GT(shorter_after_longer, std::ssize(batches) / 4);
}

TEST(Batching, OfNothingIsNothing) {
  EXPECT_TRUE(make_batches({}, 200, 1, 0).empty());
  EXPECT_THROW(make_batches({}, 0, 1, 0), std::logic_error);
}

std::vector<SentencePair> pairs_of(int count) {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < count; ++i) pairs.push_back({.source = {10 + i, 7}, .target = {60 + i}});
  return pairs;
}

TEST(EpochBatches, AreThoseOfMakeBatchesForTheirEpochAndFollowPairsThatChange) {
  std::vector<SentencePair> pairs = pairs_of(23);
  const BatchSource source = batches_of(pairs, /*max_tokens=*/12, /*seed=*/5);
  for (const Index epoch : {0, 1, 0}) {
    const auto expected = make_batches(pairs, 12, 5, static_cast<std::uint64_t>(epoch));
    ASSERT_EQ(source.begin_epoch(epoch), std::ssize(expected));
    for (Index i = 0; i < std::ssize(expected); ++i)
      EXPECT_EQ(source.batch(i).source.ids, batch_of(pairs, expected[i]).source.ids);
  }
  const BatchSource copy = source;
  pairs = {{.source = {8}, .target = {9}}};
  EXPECT_EQ(copy.begin_epoch(1), 1);
  EXPECT_EQ(copy.batch(0).source.batch, 1);
}

// ---- words to copy

// Ids of a text whose tokens have blanks between them.
class FreshCopies : public testing::Test {
 protected:
  std::vector<int> ids(const std::string& tokens) const { return vocabulary_.encode(split_at(' ', tokens)); }
  SentencePair draw(const SentencePair& pair, std::uint64_t epoch, std::uint64_t seed = 1) const {
    return with_fresh_copies({pair}, vocabulary_, seed, epoch)[0];
  }
  std::string text(const std::vector<int>& ids) const { return join(" ", vocabulary_.decode(ids)); }

  const Vocabulary vocabulary_ = [] {
    Vocabulary::TokenCounts counts;
    for (const std::string& token :
         split_at(' ', "4@@ 7@@ 4 7 Q@@ X@@ a@@ b@@ b e -@@ %@@ th@@ sh@@ part Teil"))
      counts[token] = 1;
    return Vocabulary::from_counts(counts);
  }();
};

TEST_F(FreshCopies, AreTheSameOnBothSidesAndOfTheSameKinds) {
  const auto pair_with = [&](const std::string& code, const std::string& name) {
    return std::pair("part " + code + " " + name + " part " + code, code + " Teil " + name);
  };
  std::set<std::pair<std::string, std::string>> possible, drawn;
  for (const char* first : {"Q@@", "X@@"})
    for (const char* second : {"4@@", "7@@"})
      for (const char* third : {"4", "7"})
        for (const char* name : {"a@@ b", "a@@ e", "b@@ b", "b@@ e"})
          possible.insert(pair_with(join(" ", {first, "-@@", "th@@", second, third}), name));
  const auto [source, target] = *possible.begin();
  for (std::uint64_t epoch = 0; epoch < 400; ++epoch) {
    const SentencePair now = draw({ids(source), ids(target)}, epoch);
    drawn.emplace(text(now.source), text(now.target));
  }
  EXPECT_EQ(drawn, possible);
}

TEST_F(FreshCopies, LeaveWordsOfOneTokenWordsOfOneSideAndEscapes) {
  const SentencePair pair = {ids("4 th@@ e Q@@ 4 4@@ 7 7 %@@ 4@@ 7"),
                             ids("4 a@@ e Q@@ 7 4@@ 4@@ 7 7 %@@ 4@@ 7")};
  for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
    EXPECT_EQ(draw(pair, epoch).source, pair.source);
    EXPECT_EQ(draw(pair, epoch).target, pair.target);
  }
}

TEST_F(FreshCopies, DifferByEpochAndSeed) {
  const std::string code = "Q@@ Q@@ 4@@ 7@@ 4@@ 7@@ 4@@ 7@@ 4@@ 7";
  const SentencePair pair = {ids(code), ids(code)};
  EXPECT_NE(draw(pair, 3).source, draw(pair, 4).source);
  EXPECT_NE(draw(pair, 3, /*seed=*/2).source, draw(pair, 3).source);
}

}  // namespace
}  // namespace plainformer
