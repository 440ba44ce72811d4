// The time and the memory of attention, forward and backward, against the length.
#pragma once

#include <functional>

#include "core/real.h"

namespace plainformer {

struct AttentionCostOptions {
  Index heads = 2, d_k = 64;           // one sentence, self-attention, causal
  double seconds = 1;                  // repeat for this time, but at least once after the first pass
  std::function<double()> clock = {};  // seconds since some moment; the steady clock unless given
};

struct AttentionCost {
  double seconds = 0;  // the fastest pass
  double bytes = 0;    // the most that tensors took at one time, with inputs and gradients
};

AttentionCost cost_of_softmax_attention(Index len, const AttentionCostOptions& options);
AttentionCost cost_of_linear_attention(Index len, const AttentionCostOptions& options);

}  // namespace plainformer
