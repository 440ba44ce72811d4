// Paper: 5.4 Regularization (residual dropout)
//
// With this, a forward pass drops elements and its backward pass drops the same ones.
#pragma once

#include <cstdint>

#include "core/random.h"

namespace plainformer {

struct DropoutState {
  Real probability = 0;  // P_drop; 0 at inference
  std::uint64_t seed = 0;
  // Each batch of each attempt at a training step has masks of its own.
  Index attempt = 0;  // steps begun before this one, skipped ones included
  Index batch = 0;    // the batch within the step, less than 65,536

  // The stream of one site in the model. Each site has a number of its own.
  RandomStream stream(int site) const {
    const std::uint64_t step =
        (static_cast<std::uint64_t>(attempt) << 16) + static_cast<std::uint64_t>(batch);
    return random_stream(seed, step, static_cast<std::uint64_t>(site));
  }
};

}  // namespace plainformer
