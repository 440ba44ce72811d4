// Paper: 6.1 Machine Translation (the settings of decoding)
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/real.h"
#include "core/special_symbols.h"

namespace plainformer {

// The limits of the output: "We set the maximum output length during inference to input length + 50."
struct SearchLimits {
  Index extra_length = 50;
  bool writes_unknown = true;  // may it have <unk>?

  // The lowest id of a token that it may have, beside </s>: never <pad> and <s>.
  int first_token() const { return writes_unknown ? kUnknownId : kUnknownId + 1; }

  // The most tokens that a translation may have, without <s> and </s>. With <s> they are at most max_length,
  // the longest sequence that the decoder reads.
  Index output_limit(Index source_tokens, Index max_length) const {
    return std::min(source_tokens + extra_length, max_length - 1);
  }
};

// The settings of a search: "We used beam search with a beam size of 4 and length penalty alpha = 0.6."
struct SearchOptions {
  Index beam = 4;  // live hypotheses for each sentence; 1 with alpha 0 is greedy
  Real length_penalty = static_cast<Real>(0.6);  // alpha; 0 ranks by probability alone
  Index n_best = 1;                              // translations returned for each sentence, at most `beam`
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

}  // namespace plainformer
