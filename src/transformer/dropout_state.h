// Paper: 5.4 Regularization (residual dropout) and 6.3 English Constituency Parsing (attention dropout)
//
// A forward pass draws its dropout masks from this state, and its backward pass draws the same ones again.
#pragma once

#include <cstdint>
#include <functional>

#include "core/random.h"
#include "core/random_streams.h"
#include "ops/attention_weights_hook.h"
#include "ops/dropout.h"

namespace plainformer {

struct DropoutState {
  static constexpr Index kMostBatches = 1 << 16;  // of a step

  // The hook for the attention whose output is dropped at `site`.
  using AttentionHook = std::function<AttentionWeightsHook(const DropoutState& dropout, int site)>;

  Real probability = 0;               // P_drop; 0 at inference
  Real attention_probability = 0;     // of dropping an attention weight (6.3); 0 in the translation models
  AttentionHook attention_hook = {};  // replaces the dropout of attention weights; none in the paper
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

  // Dropout on the weights of the attention whose output is dropped at `site` (6.3), with a stream of its own. It is
  // empty in the translation models.
  AttentionWeightsHook on_attention(int site) const {
    if (attention_hook) return attention_hook(*this, site);
    if (attention_probability == 0) return {};
    const Real p = attention_probability;
    const RandomStream weights = stream(random_site::kFirstAttentionWeights + site);
    return {.forward = [=](Tensor x) { return dropout_forward(std::move(x), p, weights); },
            .backward = [=](Tensor grad,
                            const Tensor&) { return dropout_backward(std::move(grad), p, weights); }};
  }
};

}  // namespace plainformer
