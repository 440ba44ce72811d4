// Products in bfloat16 by their definition (kernels/bf16.h), one element at a time.
#pragma once

#include <cmath>
#include <vector>

#include "kernels/bf16.h"

namespace plainformer {

// sum + the products of two rows of floats of the same length, which are rounded first.
inline float bf16_sum(const std::vector<float>& a, const std::vector<float>& b, float sum) {
  const auto add = [&](std::size_t p) {
    if (p < a.size()) sum = std::fma(from_bf16(to_bf16(Real{a[p]})), from_bf16(to_bf16(Real{b[p]})), sum);
  };
  for (std::size_t p = 0; p < a.size(); p += 2) {
    add(p + 1);
    add(p);
  }
  return sum;
}

}  // namespace plainformer
