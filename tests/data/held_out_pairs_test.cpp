// Validation text that a training text gives away.
#include "data/held_out_pairs.h"

#include <gtest/gtest.h>

#include <set>

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

// "s7" and "t7", for each number.
ParallelCorpus numbered(const std::vector<int>& numbers) {
  Lines source, target;
  for (const int n : numbers) {
    source.push_back("s" + std::to_string(n));
    target.push_back("t" + std::to_string(n));
  }
  return ParallelCorpus::from_lines(source, target, "numbers");
}

std::vector<int> first(int count) {
  std::vector<int> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

Lines sources(const ParallelCorpus& corpus) {
  Lines lines;
  for (const auto& pair : corpus.pairs()) lines.push_back(pair.source);
  return lines;
}

TEST(HeldOutPairs, AreATenthOfAtLeast50ButAtMostAThousand) {
  EXPECT_EQ(usual_held_out_pairs(49), 0);
  EXPECT_EQ(usual_held_out_pairs(50), 5);
  EXPECT_EQ(usual_held_out_pairs(300), 30);
  EXPECT_EQ(usual_held_out_pairs(29'000), 1000);
}

TEST(HeldOutPairs, LeaveTheTrainingTextInItsOrder) {
  ParallelCorpus train = numbered(first(50));
  const ParallelCorpus valid = hold_out_pairs(train, 7);
  ASSERT_EQ(valid.pairs().size(), 7u);
  ASSERT_EQ(train.pairs().size(), 43u);
  EXPECT_EQ(valid.report().kept, 7);
  EXPECT_EQ(train.report().kept, 43);
  std::set<Index> lines;
  for (const ParallelCorpus* corpus : {static_cast<const ParallelCorpus*>(&train), &valid}) {
    Index before = 0;
    for (const auto& pair : corpus->pairs()) {
      EXPECT_GT(pair.line, before);
      EXPECT_EQ(pair.source, "s" + std::to_string(pair.line - 1));
      EXPECT_EQ(pair.target, "t" + std::to_string(pair.line - 1));
      before = pair.line;
      lines.insert(pair.line);
    }
  }
  EXPECT_EQ(lines.size(), 50u);
  EXPECT_EQ(valid.place_of(valid.pairs().front()).file, "numbers");
}

// A published choice: another program, or another version of this one, holds out the same pairs.
TEST(HeldOutPairs, AreTheSameOnEveryMachine) {
  ParallelCorpus train = numbered(first(20));
  EXPECT_EQ(sources(hold_out_pairs(train, 4)), (Lines{"s1", "s9", "s13", "s14"}));
}

TEST(HeldOutPairs, DependOnTheirWordsAndNotOnTheirPlace) {
  ParallelCorpus forward = numbered(first(40));
  std::vector<int> numbers = first(40);
  std::reverse(numbers.begin(), numbers.end());
  ParallelCorpus backward = numbered(numbers);
  const Lines one = sources(hold_out_pairs(forward, 5)), other = sources(hold_out_pairs(backward, 5));
  EXPECT_EQ(std::set<std::string>(one.begin(), one.end()), std::set<std::string>(other.begin(), other.end()));
}

TEST(HeldOutPairs, ShareNoSentenceWithAnotherPair) {
  Lines source, target;
  for (int i = 0; i < 30; ++i) {
    source.insert(source.end(), {"go", "look " + std::to_string(i), "one " + std::to_string(i)});
    target.insert(target.end(), {"geh " + std::to_string(i), "schau", "eins " + std::to_string(i)});
  }
  source.insert(source.end(), {"one  0 ", "one 1"});  // the same words
  target.insert(target.end(), {"null", "eins 1"});
  ParallelCorpus train = ParallelCorpus::from_lines(source, target, "text");
  const ParallelCorpus valid = hold_out_pairs(train, 60);
  ASSERT_EQ(valid.pairs().size(), 28u);  // one 2 ... one 29
  for (const auto& pair : valid.pairs()) EXPECT_EQ(pair.source.rfind("one ", 0), 0u) << pair.source;
}

}  // namespace
}  // namespace plainformer
