#include "driver.h"

#include "decoding/beam.h"

namespace plainformer::course {
namespace {

// The model's answer after one hypothesis: log-probabilities of </s> and of other tokens.
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

// All that a beam holds, so that two mistakes in different functions do not look the same.
void show_beam(const char* name, const Beam& beam) {
  std::vector<double> numbers;
  for (const Beam::LiveHypothesis& live : beam.live()) {
    numbers.insert(numbers.end(), live.tokens.begin(), live.tokens.end());
    numbers.insert(numbers.end(), {live.log_probability, static_cast<double>(live.parent)});
  }
  for (const Hypothesis& hypothesis : beam.finished()) {
    numbers.insert(numbers.end(), hypothesis.tokens.begin(), hypothesis.tokens.end());
    numbers.insert(numbers.end(), {hypothesis.log_probability, hypothesis.score});
  }
  show(name, numbers);
}

// Nothing finishes, so only ranked_candidates and advance matter. In the third step three continuations are equal.
void show_ranking() {
  Beam beam({.beam = 2, .length_penalty = 0}, 9);
  beam.advance(next_of({{-1, {{9, -1}, {9, -1}}}, {-20, {{5, -1}, {6, -2}}}}), 1);
  show_beam("live after a step", beam);
  beam.advance(next_of({{-20, {{3, -4}, {4, -5}}}, {-20, {{7, -1}, {8, -3.5}}}}), 0);
  show_beam("live after two steps", beam);
  beam.advance(next_of({{-20, {{8, -2}, {6, -2}}}, {-20, {{5, 0}, {7, -9}}}}), 0);
  show_beam("live after three steps", beam);
}

// An end ranks second; then one ranks second and one fourth, which is behind a beam of three; then others. The second
// to finish has the better score and the smaller log P.
void show_endings() {
  Beam beam({.beam = 3, .length_penalty = 0.6, .n_best = 4}, 9);
  beam.advance(next_of({{-1.5, {{5, -1}, {6, -2}, {7, -2.5}}}}), 0);
  show_beam("finished after a step", beam);
  beam.advance(next_of({{-0.6, {{3, -0.5}, {4, -1}, {5, -5}}},
                        {-0.5, {{3, -0.7}, {4, -6}, {5, -7}}},
                        {-5, {{3, -2}, {4, -6}, {5, -7}}}}),
               0);
  show_beam("finished after two steps", beam);
  beam.advance(next_of({{-0.3, {{3, -1}, {4, -2}, {5, -3}}},
                        {-3, {{3, -0.7}, {4, -6}, {5, -7}}},
                        {-4, {{3, -2}, {4, -6}, {5, -7}}}}),
               0);
  show_beam("finished after three steps", beam);
}

// Of up to six tokens, (5 + |Y|) / 6 as an integer division is 1, as if there were no penalty. This one has eight.
void show_a_longer_ending() {
  Beam beam({.beam = 1, .length_penalty = 0.6}, 9);
  for (int step = 0; step < 7; ++step) beam.advance(next_of({{-5, {{5, -0.5}}}}), 0);
  beam.advance(next_of({{-0.25, {{5, -0.5}}}}), 0);
  show_beam("finished after eight steps", beam);
}

void show_finished() {
  show_endings();
  show_a_longer_ending();
}

// Two translations with equal scores, and two more than are wanted.
void show_best() {
  Beam beam({.beam = 3, .length_penalty = 0, .n_best = 2}, 9);
  beam.advance(next_of({{-1, {{5, -1}, {6, -1.5}, {7, -2}}}}), 0);
  show_beam("the best after a step", beam);
  beam.advance(next_of({{0, {{3, -2}, {4, -3}, {5, -4}}},
                        {-0.25, {{3, -2}, {4, -3}, {5, -4}}},
                        {-0.5, {{3, -2}, {4, -3}, {5, -4}}}}),
               0);
  show_beam("the best after two steps", beam);
}

void show_limit() {
  Beam beam({.beam = 2, .length_penalty = 0, .n_best = 2}, 2);
  for (int step = 0; step < 3 && !beam.done(); ++step) {
    beam.advance(next_of({{-7, {{5, -0.1}, {6, -5}}}, {-3, {{5, -0.2}, {6, -6}}}}), 0);
    show_beam("a step to the limit", beam);
  }
}

// Live hypotheses that could still become better than the finished one, and others. Then two finished ones, of which
// the worse is better than one live hypothesis.
void show_termination() {
  // The penalty of the longest is 14 / 6. Without its </s> it is 13 / 6, and 2 if integers are divided.
  for (const double live : {-1.05, -1.5, -2.1, -2.25, -2.4}) {
    Beam beam({.beam = 2, .length_penalty = 1}, 8);
    beam.advance(next_of({{-1, {{5, live}, {6, -2.5}}}}), 0);
    show_beam("live beside a finished one", beam);
  }
  Beam beam({.beam = 3, .length_penalty = 0, .n_best = 2}, 7);
  beam.advance(next_of({{-0.5, {{5, -0.75}, {6, -1}, {7, -1.25}}}}), 0);
  beam.advance(next_of({{-1.25, {{3, -0.25}, {4, -1}, {6, -3}}},
                        {-9, {{3, -9}, {4, -9}, {5, -9}}},
                        {-9, {{3, -9}, {4, -9}, {5, -9}}}}),
               0);
  show_beam("live beside two finished ones", beam);
}

void show_penalties() {
  for (const Index length : {1, 7, 8}) show("length penalty", length_penalty(length, 0.6));
}

}  // namespace

std::vector<Stage> stages() {
  return {{"length_penalty", show_penalties},        {"the ranking of continuations", show_ranking},
          {"finished translations", show_finished},  {"the list of the best", show_best},
          {"translations at the limit", show_limit}, {"early termination", show_termination}};
}

}  // namespace plainformer::course
