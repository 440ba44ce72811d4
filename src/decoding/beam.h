// Paper: 6.1 Machine Translation (beam search, length penalty, early termination)
//
// The settings of a search, and the bookkeeping of beam search for one sentence: its live and its finished
// translations.
//
//   score(Y|X) = log P(Y|X) / lp(Y),   lp(Y) = ((5 + |Y|) / 6)^alpha         (Wu et al. 2016, equation 14)
//
// |Y| counts the tokens of Y and its </s>, but not <s>: everything that the model predicted.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/special_symbols.h"
#include "core/tensor.h"

namespace plainformer {

// The limits of the output: "We set the maximum output length during inference to input length + 50."
struct SearchLimits {
  Index extra_length = 50;
  bool writes_unknown = true;  // may it have <unk>?

  // The lowest id of a token that it may have, except </s>: never <pad> or <s>.
  int first_token() const { return writes_unknown ? kUnknownId : kUnknownId + 1; }

  // The most tokens that a translation may have, without <s> and </s>. With <s> they are at most max_length,
  // the longest sequence that the decoder reads.
  Index output_limit(Index source_tokens, Index max_length) const {
    return std::min(source_tokens + extra_length, max_length - 1);
  }
};

// The settings of a search: "We used beam search with a beam size of 4 and length penalty alpha = 0.6."
struct SearchOptions {
  Index beam = 4;               // live hypotheses for each sentence; 1 with alpha 0 is greedy
  double length_penalty = 0.6;  // alpha; 0 ranks by probability alone
  Index n_best = 1;             // translations returned for each sentence, at most `beam`
  SearchLimits limits = {};
  Index batch = 32;  // sentences translated together

  bool is_greedy() const { return beam == 1 && length_penalty == 0; }

  // Throws std::runtime_error, which names the invalid option with this prefix: "--beam".
  void check(const std::string& prefix) const;
};

// Greedy search: the most probable token at every position.
inline constexpr SearchOptions kGreedy = {.beam = 1, .length_penalty = 0};

// A finished translation.
struct Hypothesis {
  std::vector<int> tokens;     // without <s> and </s>
  double log_probability = 0;  // log P(Y|X) in nats, </s> included
  double score = 0;            // log P(Y|X) / length penalty
};

// The translations of one sentence, the best first.
using Hypotheses = std::vector<Hypothesis>;

struct NextToken {
  int token;
  double log_probability;  // in nats; never above 0
};

// The possible next tokens of each hypothesis, a row for each: </s>, and the candidates, which are the most
// probable of the other tokens.
struct NextTokens {
  Index per_row = 0;            // the number of candidates of a hypothesis
  std::vector<NextToken> best;  // [rows, per_row]: the most probable first, equal ones by ascending id
  std::vector<double> end;      // [rows]: log P(</s>)
};

// Finds the candidates. <pad> and <s> are never candidates: no translation contains them. Nor is <unk> if
// `first` is above it. All three keep their share of the probability, so that a translation has the same
// log-probability here as in score_sequences.
//   logits       [rows, 1, vocab]; std::runtime_error if one is NaN or plus infinity, or if a whole row is
//                minus infinity
//   candidates   the number of tokens to find in addition to </s>; lowered if the vocabulary has fewer
//   first        the lowest id of a candidate (SearchLimits::first_token)
NextTokens next_tokens(const Tensor& logits, Index candidates, int first = kUnknownId);

// log p = logit - log_sum_exp, or 0 if rounding makes it positive. std::runtime_error unless log_sum_exp is
// finite.
double log_probability_of(Real logit, Real log_sum_exp);

// ((5 + length) / 6)^alpha.
double length_penalty(Index length, double alpha);

class Beam {
 public:
  struct LiveHypothesis {
    std::vector<int> tokens;     // <s> and the tokens so far
    double log_probability = 0;  // log P(the tokens so far)
    Index parent = -1;  // the index in live(), before the last advance, that it grew from; -1 at first
  };

  // Starts with one live hypothesis, <s>.
  Beam(const SearchOptions& options, Index output_limit);

  // The hypotheses that still need their next token, the most probable first. The search is over if there are
  // none.
  const std::vector<LiveHypothesis>& live() const { return live_; }
  bool done() const { return live_.empty(); }

  // Does one step of the search, given the next tokens of live()[i] in row first_row + i.
  //   It ranks all continuations of all live hypotheses by log P. Those among the best `beam` that end with
  //   </s> are finished; the best `beam` of the others stay live. At the output limit </s> is the only
  //   continuation, so every finished translation ends with </s>, and its log P includes that of </s>. Of
  //   equal continuations, the one of the earlier hypothesis comes first, then the one with the lower token
  //   id. Of equal scores, the one finished earlier comes first.
  void advance(const NextTokens& next, Index first_row);

  // The n_best finished translations with the highest scores, or fewer if no more were found; the best first.
  const Hypotheses& finished() const { return finished_; }

 private:
  struct Candidate {
    Index parent;
    NextToken next;
    double log_probability;  // log P(the hypothesis with this token)
  };
  std::vector<Candidate> ranked_candidates(const NextTokens& next, Index first_row) const;
  void finish(const LiveHypothesis& hypothesis, double log_probability);
  void drop_hopeless();

  SearchOptions options_;
  Index output_limit_;
  std::vector<LiveHypothesis> live_;
  Hypotheses finished_;  // the best n_best so far, the best first
};

}  // namespace plainformer
