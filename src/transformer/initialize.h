// Paper: 3 Model Architecture (the initial weights, which the paper leaves open)
#pragma once

#include <cstdint>

#include "core/parameter.h"

namespace plainformer {

// Draws the initial weights from `seed`:
//   embedding           [vocab, d_model]        N(0, 1 / d_model), because it is multiplied by sqrt(d_model)
//   position_embedding  [max_length, d_model]   N(0, 1 / 2), the variance of sines
//   any other matrix    [in, out]               uniform within 1 / sqrt(in)
// Vectors keep their values: gains 1, biases 0. Each parameter has its own stream of random numbers, so its
// weights depend only on the seed and its place in the list.
void initialize(const ParameterList& parameters, std::uint64_t seed);

}  // namespace plainformer
