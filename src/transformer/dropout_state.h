// Paper: 5.4 Regularization (residual dropout)
//
// The probability and the random stream of the dropout in one forward pass and its backward pass.
#pragma once

#include <cstdint>

#include "core/random.h"
#include "core/real.h"

namespace plainformer {

// A forward pass draws its dropout masks from this state, and its backward pass draws the same ones again.
struct DropoutState {
  static constexpr Index kMostBatches = 1 << 16;  // the batches of a step

  Real probability = 0;  // P_drop; 0 at inference
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
};

}  // namespace plainformer
