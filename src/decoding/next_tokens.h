// From logits to the best next tokens and their log-probabilities.
#pragma once

#include <vector>

#include "core/special_symbols.h"
#include "core/tensor.h"

namespace plainformer {

struct NextToken {
  int token;
  double log_probability;  // in nats; never above 0
};

// The possible next tokens of each hypothesis, a row for each: </s>, and the candidates, which are the most probable
// of the other tokens.
struct NextTokens {
  Index per_row = 0;            // the number of candidates of a hypothesis
  std::vector<NextToken> best;  // [rows, per_row]: the most probable first, equal ones by ascending id
  std::vector<double> end;      // [rows]: log P(</s>)
};

// Finds the candidates. <pad> and <s> are never candidates: no translation contains them. They keep their share of the
// probability, so a translation has the same log-probability here as in sequence_score. So does <unk> where it is none.
//   logits       [rows, 1, vocab]; std::runtime_error if one is NaN or plus infinity, or if a whole row is
//                minus infinity
//   candidates   the number of tokens to find besides </s>; lowered if the vocabulary has fewer
//   first        the lowest id of a candidate (SearchLimits::first_token)
NextTokens next_tokens(const Tensor& logits, Index candidates, int first = kUnknownId);

// log p = logit - log_sum_exp, or 0 if rounding makes it positive. std::runtime_error unless log_sum_exp is
// finite.
double log_probability_of(Real logit, Real log_sum_exp);

}  // namespace plainformer
