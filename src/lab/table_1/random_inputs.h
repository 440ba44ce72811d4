// Inputs of experiments, and gradients of their outputs. One seed gives the same numbers each time.
#pragma once

#include <cstdint>

#include "core/tensor.h"

namespace plainformer {

// Independent elements of mean 0 and variance 1.
Tensor random_input(const Shape& shape, std::uint64_t seed);

}  // namespace plainformer
