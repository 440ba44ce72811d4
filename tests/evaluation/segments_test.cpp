#include "evaluation/segments.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

std::vector<Symbols> values_of(const std::vector<Ngram>& ngrams) {
  std::vector<Symbols> values;
  for (const Ngram ngram : ngrams) values.emplace_back(ngram.begin(), ngram.end());
  return values;
}

TEST(WordNumbers, EqualWordsHaveEqualNumbersInEachText) {
  WordNumbers numbers;
  EXPECT_EQ(numbers.of({"a", "b", "a"}), (Symbols{0, 1, 0}));
  EXPECT_EQ(numbers.of({"c", "b"}), (Symbols{2, 1}));
}

TEST(Ngrams, AreSortedAndKeepTheirNumber) {
  const Symbols sequence = {2, 1, 2, 1};
  EXPECT_EQ(values_of(sorted_ngrams(sequence, 2)), (std::vector<Symbols>{{1, 2}, {2, 1}, {2, 1}}));
  EXPECT_EQ(values_of(sorted_ngrams(sequence, 4)), (std::vector<Symbols>{{2, 1, 2, 1}}));
  EXPECT_TRUE(sorted_ngrams(sequence, 5).empty());
}

TEST(Ngrams, AUnionHasTheLargerNumberAndAnIntersectionTheSmaller) {
  const Symbols a = {1, 1, 1, 2}, b = {1, 2, 2, 3};
  const std::vector<Ngram> of_a = sorted_ngrams(a, 1), of_b = sorted_ngrams(b, 1);
  EXPECT_EQ(values_of(united(of_a, of_b)), (std::vector<Symbols>{{1}, {1}, {1}, {2}, {2}, {3}}));
  EXPECT_EQ(clipped_matches(of_a, of_b), 2);
}

}  // namespace
}  // namespace plainformer
