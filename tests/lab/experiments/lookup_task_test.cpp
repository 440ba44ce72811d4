#include "lab/experiments/lookup_task.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>

#include "ops/cross_entropy.h"

namespace plainformer {
namespace {

Random random_numbers(std::uint64_t seed = 1) {
  return Random(random_stream(seed, 0, 0));
}

// 7 keys, 3 values: key a is the symbol a, value c is 7 + c, key a in the first question 10 + a, in the
// second 17 + a.
TEST(RecallTask, AsksForTheValuesOfItsPairs) {
  const RecallTask task = {.pairs = 5, .keys = 7, .values = 3, .questions = 2};
  EXPECT_EQ(task.symbols(), 24);
  Random random = random_numbers();
  const LookupBatch batch = task.draw(200, random);
  EXPECT_EQ(batch.query_len, 1);
  EXPECT_EQ(batch.key_len, 5);
  EXPECT_FALSE(batch.causal);
  ASSERT_EQ(batch.key_symbols.size(), 200u * 5 * 2);
  ASSERT_EQ(batch.query_symbols.size(), 200u * 2);
  ASSERT_EQ(batch.targets.size(), 200u * 2);
  std::set<int> asked, answers;
  for (std::size_t example = 0; example < 200; ++example) {
    std::map<int, int> value_of;
    for (std::size_t j = 0; j < 5; ++j) {
      const int key = batch.key_symbols[(example * 5 + j) * 2],
                value = batch.key_symbols[(example * 5 + j) * 2 + 1];
      EXPECT_TRUE(key >= 0 && key < 7) << key;
      EXPECT_TRUE(value >= 7 && value < 10) << value;
      value_of[key] = value - 7;
    }
    EXPECT_EQ(value_of.size(), 5u) << "keys differ";
    const int first = batch.query_symbols[example * 2] - 10,
              second = batch.query_symbols[example * 2 + 1] - 17;
    EXPECT_NE(first, second);
    ASSERT_TRUE(value_of.count(first) && value_of.count(second)) << first << " " << second;
    EXPECT_EQ(batch.targets[example * 2], value_of[first]);
    EXPECT_EQ(batch.targets[example * 2 + 1], value_of[second]);
    asked.insert(first);
    answers.insert(batch.targets[example * 2]);
  }
  EXPECT_EQ(asked.size(), 7u) << "every key is asked for at times";
  EXPECT_EQ(answers.size(), 3u);
}

// Not always the pair at the same place.
TEST(RecallTask, AsksForPairsAtEveryPlace) {
  const RecallTask task = {.pairs = 3, .keys = 5, .values = 100};
  Random random = random_numbers();
  const LookupBatch batch = task.draw(100, random);
  std::set<std::size_t> places;
  for (std::size_t example = 0; example < 100; ++example)
    for (std::size_t j = 0; j < 3; ++j)
      if (batch.key_symbols[(example * 3 + j) * 2] == batch.query_symbols[example] - 105) places.insert(j);
  EXPECT_EQ(places.size(), 3u);
}

TEST(RecallTask, TheSameSeedDrawsTheSameExamples) {
  const RecallTask task = {.pairs = 5, .keys = 7, .values = 3};
  Random one = random_numbers(), same = random_numbers(), other = random_numbers(2);
  const LookupBatch batch = task.draw(20, one);
  EXPECT_EQ(batch.key_symbols, task.draw(20, same).key_symbols);
  EXPECT_NE(batch.key_symbols, task.draw(20, other).key_symbols);
}

TEST(RecallTask, RefusesMorePairsThanKeysAndMoreQuestionsThanPairs) {
  Random random = random_numbers();
  EXPECT_THROW((RecallTask{.pairs = 8, .keys = 7, .values = 3}.draw(1, random)), std::logic_error);
  EXPECT_THROW((RecallTask{.pairs = 2, .keys = 7, .values = 3, .questions = 3}.draw(1, random)),
               std::logic_error);
  EXPECT_THROW((RecallTask{.pairs = 0, .keys = 7, .values = 3}.draw(1, random)), std::logic_error);
}

// Three values out of 5: the text, the sign 5, and the text again without its end; beside them the positions
// 6 to 11.
TEST(CopyTask, IsATextASignAndTheTextAgain) {
  const CopyTask task = {.length = 3, .values = 5};
  EXPECT_EQ(task.symbols(), 12);
  Random random = random_numbers();
  const LookupBatch batch = task.draw(2, random);
  EXPECT_TRUE(batch.causal);
  EXPECT_EQ(batch.query_symbols, batch.key_symbols);
  ASSERT_EQ(batch.key_symbols.size(), 2u * 6 * 2);
  for (std::size_t example = 0; example < 2; ++example) {
    const int* symbols = batch.key_symbols.data() + example * 12;
    const int* targets = batch.targets.data() + example * 6;
    for (int i = 0; i < 6; ++i) EXPECT_EQ(symbols[2 * i + 1], 6 + i);
    EXPECT_EQ(symbols[6], 5);           // the sign
    EXPECT_EQ(symbols[8], symbols[0]);  // the text again, one position later than its target
    EXPECT_EQ(symbols[10], symbols[2]);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(symbols[2 * i] >= 0 && symbols[2 * i] < 5);
      EXPECT_EQ(targets[i], kNoTarget);
      EXPECT_EQ(targets[3 + i], symbols[2 * i]);
    }
  }
}

TEST(CopyTask, RefusesAnEmptyText) {
  Random random = random_numbers();
  EXPECT_THROW((CopyTask{.length = 0, .values = 5}.draw(1, random)), std::logic_error);
}

}  // namespace
}  // namespace plainformer
