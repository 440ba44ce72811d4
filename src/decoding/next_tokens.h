// What a search needs to know of the logits: the best next tokens, with their log-probabilities.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct NextToken {
  int token;
  double log_probability;  // in nats; never above 0
};

// For each hypothesis, </s> and the most probable ones of the other tokens.
struct NextTokens {
  Index candidates = 0;         // how many others for each hypothesis
  std::vector<NextToken> best;  // [rows, candidates]: the most probable first, equals by ascending id
  std::vector<double> end;      // [rows]: log P(</s>)
};

// <pad> and <s> are never candidates: no translation contains them. They keep their share of the probability,
// so a translation has the same log-probability here as when it is scored (sequence_score).
//   logits       [rows, 1, vocab]; std::runtime_error if one is NaN or plus infinity, or if all of a row are
//                minus infinity
//   candidates   reduced to as many as there are
NextTokens next_tokens(const Tensor& logits, Index candidates);

// log p = logit - log_sum_exp, at most 0 whatever the rounding.
double log_probability_of(Real logit, Real log_sum_exp);

}  // namespace plainformer
