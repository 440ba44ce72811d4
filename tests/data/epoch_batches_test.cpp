// The batches of a text, for the training loop.
#include "data/epoch_batches.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace plainformer
