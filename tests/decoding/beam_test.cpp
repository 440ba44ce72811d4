#include "decoding/beam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/special_symbols.h"
#include "support/tensors.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

// What the model says after one hypothesis: log-probabilities of </s> and of some other tokens.
struct Row {
  double end;
  std::vector<NextToken> best;
};

NextTokens next_of(const std::vector<Row>& rows) {
  NextTokens next = {.per_row = static_cast<Index>(rows.front().best.size()), .best = {}, .end = {}};
  for (const Row& row : rows) {
    next.end.push_back(row.end);
    next.best.insert(next.best.end(), row.best.begin(), row.best.end());
  }
  return next;
}

std::vector<std::vector<int>> live_tokens(const Beam& beam) {
  std::vector<std::vector<int>> tokens;
  for (const Beam::LiveHypothesis& live : beam.live()) tokens.push_back(live.tokens);
  return tokens;
}

using Sentences = std::vector<std::vector<int>>;

TEST(LengthPenalty, IsThatOfWuEtAl) {
  EXPECT_DOUBLE_EQ(length_penalty(1, 0.6), 1);
  EXPECT_DOUBLE_EQ(length_penalty(7, 1), 2);
  EXPECT_DOUBLE_EQ(length_penalty(7, 0.6), std::pow(2, 0.6));
  EXPECT_DOUBLE_EQ(length_penalty(99, 0), 1);
}

TEST(Beam, KeepsTheMostProbableContinuationsOfAllHypotheses) {
  Beam beam({.beam = 2, .length_penalty = 0}, 9);
  beam.advance(next_of({{-9, {{5, -1}, {6, -2}}}}), 0);
  EXPECT_EQ(live_tokens(beam), (Sentences{{1, 5}, {1, 6}}));

  // The continuations have -5 and -6 from the first, -3 and -5.5 from the second.
  beam.advance(next_of({{-9, {{3, -4}, {4, -5}}}, {-9, {{7, -1}, {8, -3.5}}}}), 0);
  EXPECT_EQ(live_tokens(beam), (Sentences{{1, 6, 7}, {1, 5, 3}}));
  EXPECT_EQ(beam.live()[0].parent, 1);
  EXPECT_EQ(beam.live()[1].parent, 0);
  EXPECT_DOUBLE_EQ(beam.live()[0].log_probability, -3);
  EXPECT_DOUBLE_EQ(beam.live()[1].log_probability, -5);
}

TEST(Beam, EqualContinuationsRankByHypothesisThenByToken) {
  Beam beam({.beam = 2, .length_penalty = 0}, 9);
  beam.advance(next_of({{-9, {{5, -1}, {6, -1}}}}), 0);
  beam.advance(next_of({{-9, {{4, -3}, {7, -3}}}, {-9, {{3, -3}, {4, -3}}}}), 0);
  EXPECT_EQ(live_tokens(beam), (Sentences{{1, 5, 4}, {1, 5, 7}}));
}

TEST(Beam, FinishesATranslationWhoseEndIsAmongTheBest) {
  Beam beam({.beam = 2, .length_penalty = 1}, 9);
  beam.advance(next_of({{-9, {{5, -1}, {6, -2}}}}), 0);
  beam.advance(next_of({{-0.5, {{3, -2}, {4, -6}}}, {-9, {{7, -3}, {8, -4}}}}), 0);
  ASSERT_EQ(beam.finished().size(), 1u);
  EXPECT_EQ(beam.finished()[0].tokens, std::vector<int>{5});
  EXPECT_DOUBLE_EQ(beam.finished()[0].log_probability, -1.5);
  EXPECT_DOUBLE_EQ(beam.finished()[0].score, -1.5 / (7.0 / 6.0));  // |Y| = 2: the token and </s>
}

TEST(Beam, DoesNotFinishATranslationWhoseEndRanksBehind) {
  Beam beam({.beam = 2, .length_penalty = 0, .n_best = 2}, 9);
  beam.advance(next_of({{-3, {{5, -1}, {6, -1.1}}}}), 0);
  EXPECT_TRUE(beam.finished().empty());

  // Ranked: the first's </s>, the first's 3, the second's </s>, the second's 7.
  beam.advance(next_of({{-0.1, {{3, -0.4}, {4, -6}}}, {-0.5, {{7, -3}, {8, -4}}}}), 0);
  ASSERT_EQ(beam.finished().size(), 1u);
  EXPECT_EQ(beam.finished()[0].tokens, std::vector<int>{5});
}

TEST(Beam, EveryTranslationEndsAtTheLimitAndPaysForIt) {
  Beam beam({.beam = 2, .length_penalty = 0, .n_best = 2}, 1);
  beam.advance(next_of({{-9, {{5, -1}, {6, -2}}}}), 0);
  EXPECT_FALSE(beam.done());
  beam.advance(next_of({{-7, {{5, -0.1}, {6, -5}}}, {-3, {{5, -0.1}, {6, -5}}}}), 0);
  EXPECT_TRUE(beam.done());
  ASSERT_EQ(beam.finished().size(), 2u);
  EXPECT_EQ(beam.finished()[0].tokens, std::vector<int>{6});
  EXPECT_EQ(beam.finished()[0].score, -5);
  EXPECT_EQ(beam.finished()[1].tokens, std::vector<int>{5});
  EXPECT_EQ(beam.finished()[1].score, -8);
}

// With alpha 1 and limit 7, a live hypothesis of log-probability L can reach at most L / lp(8) = L 6 / 13.
TEST(Beam, TerminatesWhenNoLiveHypothesisCanBecomeBetter) {
  const SearchOptions options = {.beam = 1, .length_penalty = 1};
  Beam hopeful(options, 7);
  hopeful.advance(next_of({{-1, {{5, -2.16}}}}), 0);  // -2.16 * 6 / 13 > -1
  EXPECT_FALSE(hopeful.done());
  Beam hopeless(options, 7);
  hopeless.advance(next_of({{-1, {{5, -2.17}}}}), 0);  // -2.17 * 6 / 13 < -1
  EXPECT_TRUE(hopeless.done());
}

TEST(Beam, TheHopelessAreDroppedOneByOne) {
  Beam beam({.beam = 3, .length_penalty = 1}, 7);
  beam.advance(next_of({{-1, {{5, -1.5}, {6, -2.1}, {7, -2.5}}}}), 0);
  EXPECT_EQ(live_tokens(beam), (Sentences{{1, 5}, {1, 6}}));
}

TEST(Beam, TerminatesOnlyAfterAsManyTranslationsAsAreWanted) {
  Beam beam({.beam = 2, .length_penalty = 0, .n_best = 2}, 7);
  beam.advance(next_of({{-1, {{5, -5}, {6, -6}}}}), 0);
  EXPECT_FALSE(beam.done());
  beam.advance(next_of({{-1, {{5, -5}, {6, -6}}}, {-1, {{5, -5}, {6, -6}}}}), 0);
  EXPECT_TRUE(beam.done());
  ASSERT_EQ(beam.finished().size(), 2u);
  EXPECT_TRUE(beam.finished()[0].tokens.empty());
  EXPECT_EQ(beam.finished()[1].tokens, std::vector<int>{5});
}

TEST(Beam, OfEqualScoresTheEarlierTranslationIsTheBetter) {
  Beam beam({.beam = 2, .length_penalty = 0}, 7);
  beam.advance(next_of({{-9, {{5, -1}, {6, -1}}}}), 0);
  beam.advance(next_of({{-1, {{5, -5}, {6, -6}}}, {-1, {{5, -5}, {6, -6}}}}), 0);
  EXPECT_EQ(beam.finished()[0].tokens, std::vector<int>{5});
}

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
  EXPECT_EQ(tokens_of(next_tokens(logits_of({0.1, 0.1, 0.1, 0.6, 0.04, 0.06}), 9, kUnknownId + 1)),
            (std::vector<int>{5, 4}))
      << "from an id on";
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
    EXPECT_EQ(error_of([&] {
                next_tokens(tensor({1, 1, 5}, {0, damage, 0, 0, 0}), 1);
              }),
              "model: its output is not a finite number (hint: its weights are damaged; train it again)");
  }
}

std::string complaint(const SearchOptions& options) {
  return error_of([&] { options.check("--"); });
}

TEST(SearchOptions, TheDefaultsAndTheirLimitsAreValid) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_EQ(complaint({.beam = 1, .length_penalty = 0, .n_best = 1, .limits = {0}, .batch = 1}), "");
  EXPECT_EQ(complaint({.beam = 5, .n_best = 5}), "");
}

TEST(SearchOptions, NameTheValueThatDoesNotFit) {
  EXPECT_EQ(complaint({.beam = 0}), "--beam: 0 is out of range (hint: choose 1 to 1000)");
  EXPECT_EQ(complaint({.beam = 3, .n_best = 4}),
            "--n-best: 4 is more than the beam, 3 (hint: choose a beam of at least 4)");
  EXPECT_EQ(complaint({.n_best = 0}), "--n-best: 0 is out of range (hint: choose at least 1)");
  EXPECT_EQ(complaint({.limits = {-1}}), "--extra-length: -1 is out of range (hint: choose 0 to 1000000)");
  EXPECT_EQ(complaint({.batch = 0}), "--batch: 0 is out of range (hint: choose 1 to 100000)");
  const std::string penalty =
      " is out of range (hint: choose 0 to 10; the paper uses 0.6 to translate, and 0.3 to parse)";
  EXPECT_EQ(complaint({.length_penalty = -0.1}), "--length-penalty: -0.1" + penalty);
  EXPECT_EQ(complaint({.length_penalty = std::numeric_limits<double>::quiet_NaN()}),
            "--length-penalty: nan" + penalty);
}

TEST(SearchLimits, AllowSomeMoreTokensThanTheSourceHasButNoMoreThanTheDecoderReads) {
  EXPECT_EQ(SearchLimits{.extra_length = 50}.output_limit(7, 1024), 57);
  EXPECT_EQ(SearchLimits{.extra_length = 50}.output_limit(7, 40), 39);
  EXPECT_EQ(SearchLimits{.extra_length = 0}.output_limit(0, 40), 0);
}

}  // namespace
}  // namespace plainformer
