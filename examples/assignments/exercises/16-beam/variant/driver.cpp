// Beam search with a reward for each token: score(Y|X) = log P(Y|X) + alpha |Y|.
#include <algorithm>
#include <cmath>

#include "core/special_symbols.h"
#include "decoding/beam.h"
#include "variant.h"

namespace plainformer::course {

namespace {

constexpr unsigned kSearches = 20;

// A model of a language, in which the next token depends on the last one and on its position.
struct Search {
  Index limit, vocab;
  SearchOptions options;
  Values logits;  // [limit + 1, vocab, vocab]: of the position, the last token, the next token

  double log_p(Index position, int last, int next) const {
    const double* const row = &logits[(position * vocab + last) * vocab];
    double sum = 0;
    for (Index k = kEndId; k < vocab; ++k) sum += std::exp(row[k]);
    return row[next] - std::log(sum);
  }
};

Search draw_search(unsigned number) {
  Draw draw(number);
  const Index limit = draw.whole(4, 8), vocab = kSpecialSymbols + draw.whole(3, 6);
  const int beam = static_cast<int>(draw.whole(2, 4));
  return {.limit = limit,
          .vocab = vocab,
          .options = {.beam = beam,
                      .length_penalty = draw.value(0.3, 1),
                      .n_best = static_cast<int>(draw.whole(1, beam))},
          .logits = draw.values((limit + 1) * vocab * vocab, -3, 3)};
}

using LiveTokens = std::vector<std::vector<std::vector<int>>>;  // after each step: of each live hypothesis

struct Outcome {
  LiveTokens steps;
  Values finished;  // of each: the number of its tokens, the tokens, log P, the score
};

#ifdef COURSE_ORACLE

struct Sentence {
  std::vector<int> tokens;  // with </s> if it is finished, without <s>
  double log_p, score;
};

using Sentences = std::vector<Sentence>;
// A step: all continuations of the live hypotheses, the most probable first.
Sentences continuations(const Search& in, const Sentences& live) {
  Sentences all;
  for (const Sentence& sentence : live) {
    const Index position = std::ssize(sentence.tokens);
    const int last = position == 0 ? kStartId : sentence.tokens.back();
    for (int next = kEndId; next < in.vocab; ++next) {
      if (next != kEndId && position == in.limit) continue;
      all.push_back({sentence.tokens, sentence.log_p + in.log_p(position, last, next), 0});
      all.back().tokens.push_back(next);
    }
  }
  std::sort(all.begin(), all.end(), [](const Sentence& a, const Sentence& b) { return a.log_p > b.log_p; });
  return all;
}

// With a reward for each token, </s> among them.
double score_of(const Search& in, double log_p, std::size_t length) {
  return log_p + in.options.length_penalty * double(length);
}

// Moves those that end to `finished`, the best n_best by score, and returns those that stay live.
Sentences divide(const Search& in, const Sentences& all, Sentences& finished) {
  Sentences live;
  for (Index rank = 0; rank < std::ssize(all); ++rank) {
    Sentence sentence = all[rank];
    if (sentence.tokens.back() != kEndId) {
      if (std::ssize(live) < in.options.beam) live.push_back(sentence);
    } else if (rank < in.options.beam) {
      sentence.score = score_of(in, sentence.log_p, sentence.tokens.size());
      finished.push_back(sentence);
    }
  }
  std::stable_sort(finished.begin(), finished.end(),
                   [](const Sentence& a, const Sentence& b) { return a.score > b.score; });
  if (std::ssize(finished) > in.options.n_best) finished.resize(in.options.n_best);
  return live;
}

// Drops hypotheses whose score, at the greatest length, is not above that of the last finished
Outcome outcome_of(const Search& in) {
  Outcome outcome;
  Sentences live = {{{}, 0, 0}}, finished;
  while (!live.empty()) {
    live = divide(in, continuations(in, live), finished);
    while (std::ssize(finished) == in.options.n_best && !live.empty() &&
           score_of(in, live.back().log_p, static_cast<std::size_t>(in.limit + 1)) <= finished.back().score)
      live.pop_back();
    outcome.steps.emplace_back();
    for (const Sentence& sentence : live) outcome.steps.back().push_back(sentence.tokens);
  }
  for (const Sentence& sentence : finished) {
    outcome.finished.push_back(double(sentence.tokens.size() - 1));
    outcome.finished.insert(outcome.finished.end(), sentence.tokens.begin(), sentence.tokens.end() - 1);
    outcome.finished.insert(outcome.finished.end(), {sentence.log_p, sentence.score});
  }
  return outcome;
}

double reward(Index length, double alpha) {
  return alpha * double(length);
}

#else

NextTokens next_of(const Search& in, const Beam& beam) {
  NextTokens next = {.per_row = in.vocab - kEndId - 1, .best = {}, .end = {}};
  for (const Beam::LiveHypothesis& live : beam.live()) {
    const Index position = std::ssize(live.tokens) - 1;
    std::vector<NextToken> row;
    for (int token = kEndId + 1; token < in.vocab; ++token)
      row.push_back({token, in.log_p(position, live.tokens.back(), token)});
    std::sort(row.begin(), row.end(),
              [](NextToken a, NextToken b) { return a.log_probability > b.log_probability; });
    next.best.insert(next.best.end(), row.begin(), row.end());
    next.end.push_back(in.log_p(position, live.tokens.back(), kEndId));
  }
  return next;
}

Outcome outcome_of(const Search& in) {
  Outcome outcome;
  Beam beam(in.options, in.limit);
  for (Index step = 0; step <= in.limit && !beam.done(); ++step) {
    beam.advance(next_of(in, beam), 0);
    outcome.steps.emplace_back();
    for (const Beam::LiveHypothesis& live : beam.live())
      outcome.steps.back().emplace_back(live.tokens.begin() + 1, live.tokens.end());
  }
  for (const Hypothesis& hypothesis : beam.finished()) {
    outcome.finished.push_back(double(hypothesis.tokens.size()));
    outcome.finished.insert(outcome.finished.end(), hypothesis.tokens.begin(), hypothesis.tokens.end());
    outcome.finished.insert(outcome.finished.end(), {hypothesis.log_probability, hypothesis.score});
  }
  return outcome;
}

double reward(Index length, double alpha) {
  return length_penalty(length, alpha);
}

#endif

void rewards() {
  Draw draw(0);
  Values all;
  for (Index length = 1; length < 10; ++length) all.push_back(reward(length, draw.value(0.2, 2)));
  show("rewards", all);
}

void translations() {
  for (unsigned number = 1; number <= kSearches; ++number)
    show("finished", outcome_of(draw_search(number)).finished);
}

// The live hypotheses after each step: their tokens, with -1 behind each and -2 behind a step.
void endings() {
  for (unsigned number = 1; number <= kSearches; ++number) {
    Values all;
    for (const auto& step : outcome_of(draw_search(number)).steps) {
      for (const std::vector<int>& tokens : step) {
        all.insert(all.end(), tokens.begin(), tokens.end());
        all.push_back(-1);
      }
      all.push_back(-2);
    }
    show("live", all);
  }
}

}  // namespace

std::vector<Stage> stages() {
  return {{"length_penalty", rewards},
          {"the best translations", translations},
          {"the end of the search", endings}};
}

}  // namespace plainformer::course
