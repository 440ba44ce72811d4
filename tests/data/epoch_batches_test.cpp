// The batches of a text, for the training loop.
#include "data/epoch_batches.h"

#include <gtest/gtest.h>

#include <set>

namespace plainformer {
namespace {

std::vector<SentencePair> pairs_of(int count) {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < count; ++i) pairs.push_back({.source = {10 + i, 7}, .target = {60 + i}});
  return pairs;
}

TEST(EpochBatches, AreThoseOfMakeBatchesForTheirEpoch) {
  const std::vector<SentencePair> pairs = pairs_of(23);
  const BatchSource source = batches_of(pairs, /*max_tokens=*/12, /*seed=*/5);
  for (const Index epoch : {0, 1, 0}) {
    const auto expected = make_batches(pairs, 12, 5, static_cast<std::uint64_t>(epoch));
    ASSERT_EQ(source.begin_epoch(epoch), std::ssize(expected));
    for (Index i = 0; i < std::ssize(expected); ++i)
      EXPECT_EQ(source.batch(i).source.ids, batch_of(pairs, expected[i]).source.ids);
  }
}

TEST(EpochBatches, FollowPairsThatChangeBetweenEpochs) {
  std::vector<SentencePair> pairs = pairs_of(2);
  const BatchSource source = batches_of(pairs, 100, 1);
  const BatchSource copy = source;
  EXPECT_EQ(source.begin_epoch(0), 1);
  pairs = {{.source = {8}, .target = {9}}};
  EXPECT_EQ(copy.begin_epoch(1), 1);
  EXPECT_EQ(copy.batch(0).source.batch, 1);
}

// The sources' first tokens differ, so they name the pairs.
std::multiset<int> pairs_in(const BatchSource& source, Index first, Index end) {
  std::multiset<int> found;
  for (Index i = first; i < end; ++i) {
    const TokenBatch batch = source.batch(i).source;
    for (Index row = 0; row < batch.batch; ++row) found.insert(batch.ids[row * batch.len]);
  }
  return found;
}

TEST(EpochBatches, OfAnotherSizeHoldThePairsThatAreLeft) {
  const std::vector<SentencePair> pairs = pairs_of(23);
  const BatchSource whole = batches_of(pairs, 12, 5);
  whole.begin_epoch(2);
  std::multiset<int> read = pairs_in(whole, 0, 3);
  const BatchSource second = batches_of(pairs, 24, 5, {.epoch = 2, .taken = {{12, 3}}});
  const Index of_24 = second.begin_epoch(2);
  ASSERT_GT(of_24, 1);
  read.merge(pairs_in(second, 0, 1));
  const BatchSource third = batches_of(pairs, 6, 5, {.epoch = 2, .taken = {{12, 3}, {24, 1}}});
  read.merge(pairs_in(third, 0, third.begin_epoch(2)));
  whole.begin_epoch(2);
  EXPECT_EQ(read, pairs_in(whole, 0, whole.begin_epoch(2))) << "each pair once";
  EXPECT_EQ(second.begin_epoch(3), batches_of(pairs, 24, 5).begin_epoch(3)) << "the next epoch is whole";
  EXPECT_EQ(batches_of(pairs, 6, 5, {.epoch = 0, .taken = {{1000, 1}}}).begin_epoch(0), 0);
}

}  // namespace
}  // namespace plainformer
