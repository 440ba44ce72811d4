// Paper: 5.4 Regularization (residual dropout)
//
// What a forward pass must know to drop elements, and its backward pass to drop the same ones.
#pragma once

#include <cstdint>

#include "core/random.h"

namespace plainformer {

struct DropoutState {
  Real probability = 0;  // P_drop; 0 at inference
  std::uint64_t seed = 0;
  std::uint64_t step = 0;  // a new mask for each training step

  // The stream of one site in the model. Each site has a number of its own.
  RandomStream stream(int site) const { return random_stream(seed, step, static_cast<std::uint64_t>(site)); }
};

}  // namespace plainformer
