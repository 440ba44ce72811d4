#include "decoding/next_tokens.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "support/tensors.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

// Logits whose softmax is the given probabilities.
Tensor logits_of(const std::vector<double>& probabilities) {
  std::vector<double> logits;
  for (const double p : probabilities) logits.push_back(std::log(p) + 3);
  return tensor({1, 1, static_cast<Index>(logits.size())}, logits);
}

std::vector<int> tokens_of(const NextTokens& next) {
  std::vector<int> tokens;
  for (const NextToken& best : next.best) tokens.push_back(best.token);
  return tokens;
}

TEST(NextTokens, AreTheMostProbableOnesWithTheirLogProbabilities) {
  const NextTokens next = next_tokens(logits_of({0.05, 0.05, 0.1, 0.1, 0.2, 0.4, 0.1}), 2);
  EXPECT_EQ(next.per_row, 2);
  EXPECT_EQ(tokens_of(next), (std::vector<int>{5, 4}));
  EXPECT_NEAR(next.best[0].log_probability, std::log(0.4), 1e-6);
  EXPECT_NEAR(next.best[1].log_probability, std::log(0.2), 1e-6);
  ASSERT_EQ(next.end.size(), 1u);
  EXPECT_NEAR(next.end[0], std::log(0.1), 1e-6);
}

TEST(NextTokens, PaddingStartAndEndAreNoCandidatesHoweverProbable) {
  const NextTokens next = next_tokens(logits_of({0.3, 0.3, 0.3, 0.02, 0.03, 0.05}), 9);
  EXPECT_EQ(next.per_row, 3);
  EXPECT_EQ(tokens_of(next), (std::vector<int>{5, 4, 3}));
  EXPECT_NEAR(next.best[0].log_probability, std::log(0.05), 1e-6);  // their share is not redistributed
}

TEST(NextTokens, AreFromAnIdOnHoweverProbableThoseBeforeItAre) {
  const NextTokens next = next_tokens(logits_of({0.1, 0.1, 0.1, 0.6, 0.04, 0.06}), 9, kUnknownId + 1);
  EXPECT_EQ(next.per_row, 2);
  EXPECT_EQ(tokens_of(next), (std::vector<int>{5, 4}));
  EXPECT_NEAR(next.best[0].log_probability, std::log(0.06), 1e-6);
}

TEST(NextTokens, EquallyProbableOnesComeByAscendingId) {
  EXPECT_EQ(tokens_of(next_tokens(logits_of({0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2}), 2)),
            (std::vector<int>{4, 5}));
}

TEST(NextTokens, RowsAreSeparate) {
  const NextTokens next = next_tokens(tensor({2, 1, 5}, {0, 0, 0, 5, 1,  //
                                                         0, 0, 9, 1, 5}),
                                      1);
  EXPECT_EQ(tokens_of(next), (std::vector<int>{3, 4}));
  EXPECT_LT(next.end[0], -5);
  EXPECT_GT(next.end[1], -0.1);
}

TEST(NextTokens, AProbabilityIsNeverAboveOne) {
  EXPECT_EQ(log_probability_of(Real(2.5), Real(2.4999)), 0);
  EXPECT_EQ(log_probability_of(Real(2), Real(2.5)), -0.5);
}

TEST(NextTokens, OutputThatIsNotANumberIsReported) {
  for (const double damage : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(thrown_message<std::runtime_error>([&] {
                next_tokens(tensor({1, 1, 5}, {0, damage, 0, 0, 0}), 1);
              }),
              "model: its output is not a finite number (hint: its weights are damaged; train it again)");
  }
}

}  // namespace
}  // namespace plainformer
