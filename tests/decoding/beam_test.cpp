#include "decoding/beam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/special_symbols.h"

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

TEST(Beam, StartsWithTheStartSymbol) {
  const Beam beam({}, 5);
  EXPECT_EQ(live_tokens(beam), (Sentences{{kStartId}}));
  EXPECT_FALSE(beam.done());
  EXPECT_TRUE(beam.finished().empty());
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

TEST(Beam, ReadsItsOwnRows) {
  Beam beam({.beam = 1}, 9);
  beam.advance(next_of({{-9, {{5, -1}}}, {-9, {{6, -1}}}, {-9, {{7, -1}}}}), 1);
  EXPECT_EQ(live_tokens(beam), (Sentences{{1, 6}}));
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

TEST(Beam, ALimitOfZeroLeavesTheEmptyTranslation) {
  Beam beam({}, 0);
  beam.advance(next_of({{-7, {{5, -0.1}, {6, -5}}}}), 0);
  EXPECT_TRUE(beam.done());
  ASSERT_EQ(beam.finished().size(), 1u);
  EXPECT_TRUE(beam.finished()[0].tokens.empty());
  EXPECT_EQ(beam.finished()[0].log_probability, -7);
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

}  // namespace
}  // namespace plainformer
