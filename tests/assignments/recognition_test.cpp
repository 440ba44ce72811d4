// What a driver shows, how it differs from what is right, and which mistake it shows.

#include "results.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plainformer::course {
namespace {

// The difference of a tensor from the right one.
std::string difference_of(const std::vector<Index>& shape, const std::vector<double>& found,
                          const std::vector<double>& right) {
  return difference({.shape = shape, .numbers = found}, {.shape = shape, .numbers = right});
}

TEST(Results, AreReadLineByLine) {
  const Results results =
      results_of("f\ty\t2 2\t1 2 nan -4.5\nf\ty\t\t7\nf\tmerges\ttext\tl o\\n\nno line\nf\tz\t1\t3");
  ASSERT_EQ(results.size(), 3u) << "the last line is not complete";
  EXPECT_EQ(results[0].label(), "f: y");
  EXPECT_EQ(results[0].shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(results[0].numbers[3], -4.5);
  EXPECT_EQ(results[1].name, "y (2)");
  EXPECT_EQ(results[2].text, "l o\\n");
}

TEST(Results, MayDifferInTheTenthDigitOfTheLargest) {
  EXPECT_EQ(difference_of({2}, {1e9, 1.5}, {1e9, 1}), "");
  EXPECT_NE(difference_of({2}, {1e3, 1.5}, {1e3, 1}), "");
  EXPECT_EQ(difference_of({2}, {NAN, INFINITY}, {NAN, INFINITY}), "");
  EXPECT_NE(difference_of({1}, {INFINITY}, {-INFINITY}), "");
  EXPECT_NE(difference({.is_text = true, .text = "a"}, {.is_text = true, .text = "b"}), "");
}

TEST(Difference, NamesItsKind) {
  const struct {
    std::vector<Index> shape;
    std::vector<double> found, right;
    const char* kind;
  } cases[] = {
      {{3}, {2, 4, -6}, {1, 2, -3}, "Each number is 2 times the right one: [0] is 2, and should be 1"},
      {{2}, {std::sqrt(6), 0}, {6, 0}, "Each number is 1/sqrt(6) times"},
      {{2}, {1, -2}, {-1, 2}, "Each number has the wrong sign"},
      {{3}, {2, 3, 4.5}, {1, 2, 3.5}, "Each number is the right one plus 1"},
      {{2, 2}, {0, 0, 0, 0}, {1, 2, 3, 4}, "All numbers are 0"},
      {{2, 3}, {1, 4, 2, 5, 3, 6}, {1, 2, 3, 4, 5, 6}, "Axes 0 and 1 are exchanged"},
      {{4}, {9, 1, 5, 7}, {1, 5, 7, 8}, "The numbers are one position off along axis 0"},
      {{2, 2}, {1, 2, 9, 4}, {1, 2, 3, 4}, "1 of 4 numbers are wrong, only in the last place of axis 0"},
      {{3, 3},
       {1, 7, 2, 7, 3, 4, 5, 6, 7},
       {1, 0, 2, 0, 3, 4, 5, 6, 7},
       "2 of 9 numbers are wrong, only where"},
      {{3}, {1, NAN, 3}, {1, 2, 3}, "1 of 3 numbers are wrong, and some are nan"},
      {{2, 2}, {5, 2, 3, 7}, {1, 2, 3, 4}, "2 of 4 numbers are wrong: [0, 0] is 5, and should be 1"},
  };
  for (const auto& one : cases)
    EXPECT_EQ(difference_of(one.shape, one.found, one.right).substr(0, std::string(one.kind).size()),
              one.kind);
  EXPECT_EQ(difference({.shape = {1, 2}, .numbers = {1, 2}}, {.shape = {2}, .numbers = {1, 2}}),
            "Its shape is [1, 2], and should be [2]");
}

Results shown(const std::vector<double>& y, const std::vector<double>& grad) {
  const auto tensor = [](const std::string& stage, const std::string& name,
                         const std::vector<double>& numbers) {
    return Result{
        .stage = stage, .name = name, .shape = {static_cast<Index>(numbers.size())}, .numbers = numbers};
  };
  Results results = {tensor("forward", "y", y)};
  if (!grad.empty()) results.push_back(tensor("backward", "grad_x", grad));
  return results;
}

const Results kRight = shown({1, 2, 3}, {4, 5, 6});
const std::vector<KnownMistake> kKnown = {
    {.name = "scale", .numbers_of = "no scale", .read = "page", .results = shown({10, 20, 30}, {40, 50, 60})},
    {.name = "mask", .numbers_of = "no mask", .read = "page", .results = shown({1, 2, 4}, {4, 5, 6})},
    {.name = "gradient",
     .numbers_of = "no sum",
     .read = "other page",
     .results = shown({1, 2, 3}, {0, 5, 6})}};

TEST(Recognition, NamesTheMistakeWithTheseResults) {
  EXPECT_EQ(name_mistakes(shown({10, 20, 30}, {40, 50, 60}), kRight, kKnown),
            "Your numbers are exactly those of: no scale.\nRead page.\n");
  EXPECT_EQ(name_mistakes(shown({1, 2, 3}, {0, 5, 6}), kRight, kKnown),
            "Your numbers are exactly those of: no sum.\nRead other page.\n");
}

TEST(Recognition, EachStageMayHaveAMistakeOfItsOwn) {
  EXPECT_EQ(name_mistakes(shown({1, 2, 4}, {0, 5, 6}), kRight, kKnown),
            "The numbers of forward: y are exactly those of: no mask.\nRead page.\n"
            "The numbers of backward: grad_x are exactly those of: no sum.\nRead other page.\n");
}

TEST(Recognition, OfEqualsItNamesThoseThatWouldHaveLeftRightWhatIsRight) {
  std::vector<KnownMistake> known = kKnown;
  known.push_back(
      {.name = "y", .numbers_of = "y alone", .read = "page", .results = shown({10, 20, 30}, {4, 5, 6})});
  EXPECT_EQ(name_mistakes(shown({10, 20, 30}, {4, 5, 6}), kRight, known),
            "Your numbers are exactly those of: y alone.\nRead page.\n");
  known.push_back(known.back());
  known.back().numbers_of = "y, too";
  EXPECT_EQ(name_mistakes(shown({10, 20, 30}, {4, 5, 6}), kRight, known),
            "Your numbers are exactly those of: y alone.\nRead page.\nor of: y, too.\n");
}

TEST(Recognition, WhatIsMissingOrNobodysNamesNothing) {
  EXPECT_EQ(name_mistakes(kRight, kRight, kKnown), "");
  EXPECT_EQ(name_mistakes(shown({7, 7, 8}, {4, 5, 6}), kRight, kKnown), "");
  EXPECT_EQ(name_mistakes({}, kRight, kKnown), "");
  EXPECT_EQ(name_mistakes(shown({10, 20, 30}, {}), kRight, kKnown),
            "The numbers of forward: y are exactly those of: no scale.\nRead page.\n");
}

}  // namespace
}  // namespace plainformer::course
