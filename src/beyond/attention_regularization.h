// Paper: 6.3 English Constituency Parsing ("dropout, both attention and residual")
//
// Three ways to keep a model from relying on few attention weights. The paper has the first; the others go beyond it.
//
//   dropout on weights    each weight P_ij becomes P_ij / (1 - p), or 0 with probability p (the paper has it in 6.3)
//   dropout of heads      each head of each sentence as a whole becomes head / (1 - p), or 0 (Zhou et al. 2020,
//                         "Scheduled DropHead")
//   penalty on weights    the loss grows by penalty times the sum of P_ij^2: a row that looks at one key
//                         costs 1, one that looks at n keys alike costs 1/n; rows of padding cost nothing
#pragma once

#include <vector>

#include "core/random.h"
#include "transformer/dropout_state.h"

namespace plainformer {

struct AttentionRegularization {
  Real weight_dropout = 0, head_dropout = 0;  // probabilities, in [0, 1)
  Real penalty = 0;                           // at least 0
  std::vector<Index> query_lengths = {};  // [batch]: the queries with a penalty, those that are not padding
  RandomStream weight_stream = {}, head_stream = {};

  bool is_on() const { return weight_dropout != 0 || head_dropout != 0 || penalty != 0; }
};

// The hook that applies it to the weights of one attention; none if it is off. The same streams drop the same weights
// again in the backward pass.
AttentionWeightsHook hook_of(const AttentionRegularization& regularization);

// The lengths of the rows in each attention of a model: the source's in the encoder, the target's in the decoder, whose
// sites come last.
struct QueryLengths {
  int first_decoder_site = 0;
  std::vector<Index> source = {}, target = {};  // [batch]
};

// The hooks for all attentions of a pass. Each attention has its own streams and lengths; those in `regularization` do
// not count.
DropoutState::AttentionHook hooks_of(const AttentionRegularization& regularization,
                                     const QueryLengths& lengths);

// Drops single weights and whole heads, and scales up what stays.    weights [batch, heads, query_len, key_len]
Tensor drop_weights(Tensor weights, const AttentionRegularization& regularization);

// 1 / (1 - p), or 0 if the head is dropped; `head` counts the heads of all sentences.
Real factor_of_head(const AttentionRegularization& regularization, Index head);

}  // namespace plainformer
