// Paper: 6.3 English Constituency Parsing ("dropout, both attention and residual")
//
// Three ways to keep a model from relying on few attention weights, off in the paper's models:
//
//   dropout on weights    each weight w_ij becomes w_ij / (1 - p), or 0 with probability p
//   dropout of heads      each head of each sentence likewise, as a whole (Zhou et al. 2020, "Scheduled
//                         DropHead")
//   penalty on weights    the loss grows by penalty times the sum of w_ij^2: a row that looks at one key
//                         costs 1, one that looks at n keys alike costs 1/n; rows of padding cost nothing
//
// attention_forward and attention_backward apply them if their cache asks for it.
#pragma once

#include <vector>

#include "core/random.h"

namespace plainformer {

struct AttentionRegularization {
  Real weight_dropout = 0, head_dropout = 0;  // probabilities, in [0, 1)
  Real penalty = 0;                           // at least 0
  std::vector<Index> query_lengths = {};  // [batch]: the queries with a penalty, those that are not padding
  RandomStream weight_stream = {}, head_stream = {};

  bool is_on() const { return weight_dropout != 0 || head_dropout != 0 || penalty != 0; }
};

}  // namespace plainformer
