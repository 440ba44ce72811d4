// Translations that repeat themselves, and others that only look so.
#include "model_folder/repetition.h"

#include <gtest/gtest.h>

#include "core/split.h"

namespace plainformer {
namespace {

using Pieces = std::vector<std::string>;

Pieces pieces(const std::string& text) {
  return split_at(' ', text);
}

std::string repeated(const std::string& text, int times) {
  std::string result = text;
  for (int i = 1; i < times; ++i) result += " " + text;
  return result;
}

Index runaway(const std::string& translation, const std::string& source = "the cat sleeps") {
  const auto found = runaway_repetition(pieces(translation), pieces(source));
  return found ? found->times : 0;
}

TEST(LongestRepetition, IsTheMostFrequentOneThenTheShortestThenTheFirst) {
  const auto found = [](const std::string& text) {
    const Repetition r = longest_repetition(pieces(text));
    return std::vector<Index>{r.first, r.length, r.times};
  };
  using Numbers = std::vector<Index>;
  EXPECT_EQ(found("a b c"), (Numbers{0, 1, 1}));
  EXPECT_EQ(found("x a a b"), (Numbers{1, 1, 2}));
  EXPECT_EQ(found("a a b c c c d"), (Numbers{3, 1, 3}));
  EXPECT_EQ(found("x a b a b a b a"), (Numbers{1, 2, 3})) << "half of a fourth does not count";
  EXPECT_EQ(found("a a a a"), (Numbers{0, 1, 4})) << "not twice a a";
  EXPECT_EQ(found("a b c d a b c d"), (Numbers{0, 4, 2}));
  EXPECT_EQ(found("a b c d e a b c d e"), (Numbers{0, 1, 1})) << "five are too many";
  EXPECT_EQ(longest_repetition({}).times, 1);
  EXPECT_EQ(longest_repetition({"a"}).times, 1);
}

TEST(RunawayRepetition, IsTheSameOneToFourWordsAtLeastFourTimesInARow) {
  EXPECT_EQ(runaway("die " + repeated("Bücher", 50)), 50);
  EXPECT_EQ(runaway("die Katze " + repeated("auf dem Tisch ,", 4) + " auf"), 4);
  EXPECT_EQ(runaway(repeated("ja", 4)), 4);
  EXPECT_EQ(runaway(repeated("ja", 3)), 0);
  EXPECT_EQ(runaway(repeated("a b c d e", 9)), 0) << "five words";
  EXPECT_EQ(runaway("der Hund , der Mann , der Tisch , der Tag , der Baum"), 0) << "never the same in a row";
  EXPECT_EQ(runaway(""), 0);
}

TEST(RunawayRepetition, CountsWordsAndNotPieces) {
  const auto found = runaway_repetition(pieces("die " + repeated("Bü@@ cher", 5)), pieces("the books"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 1);
  EXPECT_EQ(found->length, 2);
  EXPECT_EQ(found->times, 5);
  EXPECT_EQ(runaway("1@@ 0@@ 0@@ 0@@ 0@@ 0@@ 0"), 0) << "ten million is one word";
}

TEST(RunawayRepetition, AWordMayRepeatElevenPieces) {
  const auto found = runaway_repetition(pieces("oh , A@@ " + repeated("h@@ a@@", 12) + " !"), pieces("ha"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 3);
  EXPECT_EQ(found->length, 2);
  EXPECT_EQ(found->times, 12);
  EXPECT_EQ(runaway(repeated("h@@ a@@", 11) + " !"), 0);
}

TEST(RunawayRepetition, IsNoneWhereTheSourceRepeatsAsOften) {
  EXPECT_EQ(runaway("sehr sehr sehr sehr gut", "very very very very good"), 0);
  EXPECT_EQ(runaway(repeated("sehr", 5), "very very very very good"), 5);
  EXPECT_EQ(runaway(repeated("-@@", 40) + " -", repeated("=@@", 50) + " ="), 0);
}

}  // namespace
}  // namespace plainformer
