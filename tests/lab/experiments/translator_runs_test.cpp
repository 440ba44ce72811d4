#include "lab/experiments/translator_runs.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

// Two seeds with three sentences and two. Only the last place in `over` counts.
TEST(TranslatorRuns, CountsTheRightSentencesOfARangeOverAllSeeds) {
  TranslatorRuns runs = {
      .over = {10, 20},
      .sentences = {{.words = {3, 8, 9}, .places = {0, 2, 2}}, {.words = {6, 14}, .places = {2, 5}}},
      .results = {}};
  const auto result_of = [](const std::vector<bool>& right) {
    TranslatorResult result;
    result.right = right;
    return result;
  };
  for (auto& results : runs.results)
    results = {{result_of({true, true, true}), result_of({true, true})},
               {result_of({false, true, false}), result_of({false, false})}};
  runs.results[1].back() = {result_of({true, true, true}), result_of({true, false})};

  const RightSentences by_words = right_sentences(runs, /*words=*/{6, 8}, /*places=*/{0, 14});
  EXPECT_EQ(by_words.sentences, 2);
  EXPECT_EQ(by_words.right, (std::array<Index, 3>{1, 2, 1}));
  const RightSentences by_both = right_sentences(runs, {6, 9}, {2, 2});
  EXPECT_EQ(by_both.sentences, 3);
  EXPECT_EQ(by_both.right, (std::array<Index, 3>{1, 3, 1}));
  EXPECT_EQ(right_sentences(runs, {1, 2}, {0, 14}).sentences, 0);
}

TEST(TranslatorRuns, RangesAreNamedByTheirEnds) {
  EXPECT_EQ(NumberRange({4, 4}).name(), "4");
  EXPECT_EQ(NumberRange({5, 14}).name(), "5 to 14");
}

}  // namespace
}  // namespace plainformer
