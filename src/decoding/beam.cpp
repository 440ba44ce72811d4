#include "decoding/beam.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/check.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "ops/reductions.h"

namespace plainformer {

static_assert(kPadId < kEndId && kStartId < kEndId && kUnknownId == kEndId + 1,
              "all ids from <unk> on may be produced");

void SearchOptions::check(const std::string& prefix) const {
  require_between(prefix + "beam", beam, 1, 1000);
  require_at_least(prefix + "n-best", n_best, 1);
  if (n_best > beam)
    throw input_error(prefix + "n-best",
                      std::to_string(n_best) + " is more than the beam, " + std::to_string(beam),
                      "choose a beam of at least " + std::to_string(n_best));
  require_between(prefix + "extra-length", limits.extra_length, 0, 1'000'000);
  require_between(prefix + "batch", batch, 1, 100'000);
  // With a negative penalty, short translations would win, and early termination would not be exact. NaN
  // fails too.
  if (!(length_penalty >= 0 && length_penalty <= 10)) {
    throw input_error(prefix + "length-penalty", shortest_text(length_penalty) + " is out of range",
                      "choose 0 to 10; the paper uses 0.6 to translate, and 0.3 to parse");
  }
}

double log_probability_of(Real logit, Real log_sum_exp) {
  if (!std::isfinite(log_sum_exp)) {
    throw input_error("model", "its output is not a finite number",
                      "its weights are damaged; train it again");
  }
  return std::min(0.0, static_cast<double>(logit) - static_cast<double>(log_sum_exp));
}

NextTokens next_tokens(const Tensor& logits, Index candidates, int first) {
  const Index rows = logits.dim(0), vocab = logits.dim(2);
  CHECK_SHAPE(logits, rows, 1, vocab);
  const Index k = std::min(candidates, vocab - first);
  const auto [top, log_sums] = top_k_and_log_sum_exp(logits, first, k);

  NextTokens next = {.per_row = k, .best = {}, .end = {}};
  for (Index row = 0; row < rows; ++row) {
    const Real log_sum = log_sums(row);
    next.end.push_back(log_probability_of(logits(row, kEndId), log_sum));
    for (Index i = row * k; i < (row + 1) * k; ++i)
      next.best.push_back({top.columns[i], log_probability_of(top.values[i], log_sum)});
  }
  return next;
}

double length_penalty(Index length, double alpha) {
  return std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
}

Beam::Beam(const SearchOptions& options, Index output_limit)
    : options_(options), output_limit_(output_limit), live_({LiveHypothesis{.tokens = {kStartId}}}) {}

void Beam::advance(const NextTokens& next, Index first_row) {
  // Step 1. Rank the continuations of all live hypotheses. They are equally long, so log P ranks them as the
  // score would.
  const std::vector<Candidate> candidates = ranked_candidates(next, first_row);

  // Step 2. Divide them into finished and live ones.
  std::vector<LiveHypothesis> survivors;
  for (Index rank = 0; rank < std::ssize(candidates) && std::ssize(survivors) < options_.beam; ++rank) {
    const Candidate& candidate = candidates[rank];
    if (candidate.next.token != kEndId) {
      LiveHypothesis child = {live_[candidate.parent].tokens, candidate.log_probability, candidate.parent};
      child.tokens.push_back(candidate.next.token);
      survivors.push_back(std::move(child));
    } else if (rank < options_.beam) {
      finish(live_[candidate.parent], candidate.log_probability);
    }
  }
  live_ = std::move(survivors);

  // Step 3. Terminate early.
  drop_hopeless();
}

std::vector<Beam::Candidate> Beam::ranked_candidates(const NextTokens& next, Index first_row) const {
  std::vector<Candidate> candidates;
  for (Index parent = 0; parent < std::ssize(live_); ++parent) {
    const Index row = first_row + parent;
    const auto add = [&](NextToken token) {
      candidates.push_back({parent, token, live_[parent].log_probability + token.log_probability});
    };
    add({kEndId, next.end[row]});
    const bool at_limit = std::ssize(live_[parent].tokens) - 1 == output_limit_;
    if (at_limit) continue;
    for (Index i = 0; i < next.per_row; ++i) add(next.best[row * next.per_row + i]);
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(-a.log_probability, a.parent, a.next.token) <
           std::tuple(-b.log_probability, b.parent, b.next.token);
  });
  return candidates;
}

void Beam::finish(const LiveHypothesis& hypothesis, double log_probability) {
  const auto length = std::ssize(hypothesis.tokens);  // <s> is not counted, </s> is
  const double score = log_probability / length_penalty(length, options_.length_penalty);
  const auto place =
      std::upper_bound(finished_.begin(), finished_.end(), score,
                       [](double value, const Hypothesis& other) { return value > other.score; });
  finished_.insert(place, {.tokens = {hypothesis.tokens.begin() + 1, hypothesis.tokens.end()},
                           .log_probability = log_probability,
                           .score = score});
  if (std::ssize(finished_) > options_.n_best) finished_.pop_back();
}

// Early termination changes no result. Let L = log P of a live hypothesis. Any translation Y that begins with
// it has log P(Y) <= L <= 0, since each further token multiplies P by at most 1. And lp(Y) <= lp(longest),
// since lp grows with the length (alpha >= 0). So
//   score(Y) = log P(Y) / lp(Y) <= L / lp(Y) <= L / lp(longest)
// If n_best finished translations are at least as good as this bound, Y would rank behind them all (it
// finishes later). So the hypothesis is hopeless and can be dropped.
//
// Dropping it frees its place in the beam, which changes no result either: its continuations could only
// displace others with a smaller log P, and those are as hopeless.
void Beam::drop_hopeless() {
  // Both lists are sorted, the best first. When no live hypothesis is left, the search is over.
  if (std::ssize(finished_) < options_.n_best) return;
  const double longest_penalty = length_penalty(output_limit_ + 1, options_.length_penalty);
  while (!live_.empty() && live_.back().log_probability / longest_penalty <= finished_.back().score)
    live_.pop_back();
}

}  // namespace plainformer
