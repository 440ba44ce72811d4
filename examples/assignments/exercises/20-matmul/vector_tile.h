// The kernels whose tile the exercise is about: those of the processor at hand.
#pragma once

#include <algorithm>
#include <string>

#include "core/input_error.h"
#include "kernels/kernels.h"

namespace plainformer::course {

inline const Kernels& tile_kernels() {
  for (const std::string& name : supported_kernels())
    if (name == "avx2" || name == "neon") return find_kernels(name);
  throw input_error("exercise 20", "this processor has neither AVX2 nor NEON",
                    "check it on another machine: any x86-64 since 2013, or any 64-bit ARM");
}

}  // namespace plainformer::course
