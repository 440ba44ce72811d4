// Pairs that are seldom meant.
#include "data/odd_pairs.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;
using Numbers = std::vector<Index>;

Numbers first_of(const PairCount& count) {
  Numbers lines;
  for (const PairPlace& place : count.first) lines.push_back(place.line);
  return lines;
}

OddPairs odd_pairs(const Lines& source, const Lines& target) {
  return odd_pairs_of(ParallelCorpus::from_lines(source, target, "text"));
}

TEST(OddPairs, RepeatTheWordsOfAnEarlierPair) {
  const OddPairs odd =
      odd_pairs({"a b", "a b", "a  b ", "a b", "ab", "a b", "a b"}, {"x", "x", "x", "y", "x", "x", "x"});
  EXPECT_EQ(odd.repeated.pairs, 4);
  EXPECT_EQ(first_of(odd.repeated), (Numbers{2, 3, 6}));
  EXPECT_EQ(odd.repeated.first.front().file, "text");
}

TEST(OddPairs, HaveTheSameWordsOnBothSides) {
  const OddPairs odd = odd_pairs({"a b", "Berlin", "c"}, {"b a", "Berlin ", "d"});
  EXPECT_EQ(first_of(odd.equal), (Numbers{2}));
  EXPECT_EQ(odd.repeated.pairs, 0);
}

TEST(OddPairs, HaveSidesOfVeryUnequalLengths) {
  const std::string fifty(50, 'x'), fifty_one(51, 'x'), ten(10, 'y');
  const OddPairs odd = odd_pairs({fifty, fifty_one, ten, ten, "Go.", "Geh weg von hier!"},
                                 {ten, ten, fifty, fifty_one, "Geh weg von hier!", "Go."});
  EXPECT_EQ(first_of(odd.unequal), (Numbers{2, 4}));
}

TEST(OddPairs, WriteAccentsAsCharactersOfTheirOwn) {
  const OddPairs odd = odd_pairs({"scho\u0308n", "sch\u00F6n", "a"}, {"a", "b", "e\u0301"});
  EXPECT_EQ(first_of(odd.accents), (Numbers{1, 3}));
}

// Here ten characters of Chinese say as much as eighty of English, and words are not separated.
TEST(OddPairs, CompareLengthsAsTheTextDoes) {
  const std::string eighty(80, 'x'), four_hundred(400, 'x');
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += "猫";
  Lines source(20, eighty), target(20, ten);
  EXPECT_EQ(odd_pairs(source, target).unequal.pairs, 0);
  source.push_back(four_hundred);
  target.push_back("猫");
  EXPECT_EQ(first_of(odd_pairs(source, target).unequal), (Numbers{21}));
}

Lines numbered(const std::string& word, int first, int count) {
  Lines lines;
  for (int i = first; i < first + count; ++i) lines.push_back(word + std::to_string(i));
  return lines;
}

TEST(OddPairs, OfAFileWithBothSidesSortedAreNotPairs) {
  const Lines source = numbered("a", 10, 20), target = numbered("x", 10, 20);
  EXPECT_EQ(odd_pairs(source, target).sorted, Lines{"text"});
  EXPECT_TRUE(odd_pairs(source, source).sorted.empty()) << "a copy is right in any order";
  EXPECT_TRUE(odd_pairs(numbered("a", 10, 19), numbered("x", 10, 19)).sorted.empty()) << "too few to say so";
  EXPECT_TRUE(odd_pairs(Lines(30, "a"), Lines(30, "x")).sorted.empty()) << "equal lines do not ascend";
  Lines swapped = target;
  std::swap(swapped[18], swapped[19]);
  EXPECT_TRUE(odd_pairs(source, swapped).sorted.empty());
  EXPECT_TRUE(odd_pairs(swapped, source).sorted.empty());
}

TEST(OddPairs, OfValidationStandInTheTrainingText) {
  const ParallelCorpus train = ParallelCorpus::from_lines({"a b", "c", "d"}, {"x", "y", "z"}, "train"),
                       valid = ParallelCorpus::from_lines({"a", " a  b", "c", "d"}, {"x", "x", "z", "z"},
                                                          "valid");
  const PairCount count = pairs_in_training(valid, train);
  EXPECT_EQ(first_of(count), (Numbers{2, 4}));
  EXPECT_EQ(count.first.front().file, "valid");
}

ParallelCorpus corpus_of(const std::vector<std::string>& lines) {
  return ParallelCorpus::from_lines(lines, lines, "text");
}

TEST(OddPairs, HavePiecesOfBytePairEncoding) {
  const PairCount count = pairs_with_pieces(corpus_of({"lo@@ wer", "new", "wi@@ dest x"}));
  EXPECT_EQ(count.pairs, 2);
  EXPECT_EQ(count.first, (std::vector<PairPlace>{{"text", 1}, {"text", 3}}));
  EXPECT_EQ(pairs_with_pieces(corpus_of({"a @@ b @@", "ends in lo@@", "mail a@@b"})).pairs, 0);
  std::vector<std::string> lines(30, "a text about pieces");
  lines.push_back("lo@@ wer is one");
  EXPECT_EQ(pairs_with_pieces(corpus_of(lines)).pairs, 0);
}

TEST(OddPairs, LookTokenizedIfBlanksComeBeforeLastMarks) {
  const auto of = [](const std::vector<std::string>& lines) { return looks_tokenized(corpus_of(lines)); };
  EXPECT_EQ(of({"Ein Mann schläft .", "Wer ?", "ein Hund", "Was!"}), true);
  EXPECT_EQ(of({"Ein Mann schläft.", "Wer ?", "Was!"}), false);
  EXPECT_EQ(of({"a dog", "a cat", "."}), std::nullopt);
  EXPECT_EQ(of({"你好 。", "谁？"}), std::nullopt);
}

}  // namespace
}  // namespace plainformer
