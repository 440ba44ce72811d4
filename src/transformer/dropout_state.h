// Paper: 5.4 Regularization (residual dropout) and 6.3 English Constituency Parsing (attention dropout)
//
// A forward pass draws its dropout masks from this state, and its backward pass draws the same ones again.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.h"
#include "ops/attention_regularization.h"

namespace plainformer {

struct DropoutState {
  static constexpr Index kMostBatches = 1 << 16;  // of a step

  Real probability = 0;  // P_drop; 0 at inference
  // Regularizes the attention weights. attention_at() fills in its streams and lengths.
  AttentionRegularization attention = {};
  std::uint64_t seed = 0;
  // Each batch of each attempt at a training step has its own masks.
  Index attempt = 0;  // steps begun before this one, skipped ones included
  Index batch = 0;    // the batch within the step, less than kMostBatches

  // The stream of one site in the model. Each site has its own number.
  RandomStream stream(int site) const {
    const std::uint64_t step =
        static_cast<std::uint64_t>(attempt) * kMostBatches + static_cast<std::uint64_t>(batch);
    return random_stream(seed, step, static_cast<std::uint64_t>(site));
  }

  // The regularization of the attention whose output is dropped at this site; query_lengths: [batch].
  AttentionRegularization attention_at(int site, const std::vector<Index>& query_lengths) const {
    constexpr int kWeights = 1 << 16, kHeads = 2 << 16;  // beyond all sites of residual dropout
    AttentionRegularization at_site = attention;
    at_site.weight_stream = stream(kWeights + site);
    at_site.head_stream = stream(kHeads + site);
    if (attention.penalty > 0) at_site.query_lengths = query_lengths;
    return at_site;
  }
};

}  // namespace plainformer
