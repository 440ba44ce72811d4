// Products in half precision by their definition (kernels/bf16.h), one element at a time.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/bf16.h"

namespace plainformer {

inline float flushed(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

// a b + sum, rounded once; subnormal inputs and results are zeros. The result counts as subnormal if it is so
// after rounding to 24 bits: a fraction that is rounded up to 2^-126 with 23 bits only may not be enough.
inline float bf16_multiply_add(float a, float b, float sum) {
  const float x = flushed(a), y = flushed(b), start = flushed(sum);
  const float rounded = std::fma(x, y, start);
  const bool was_smaller = std::fabs(double(x) * double(y) + double(start)) < 0x1p-126 * (1 - 0x1p-25);
  return was_smaller ? std::copysign(0.0f, rounded) : flushed(rounded);
}

// sum + the products of two rows of the same length, a multiple of kBf16DepthStep.
inline float sum_of_pairs(const std::vector<Bf16>& a, const std::vector<Bf16>& b, float sum) {
  for (std::size_t p = 0; p < a.size(); p += 2) {
    sum = bf16_multiply_add(from_bf16(a[p + 1]), from_bf16(b[p + 1]), sum);
    sum = bf16_multiply_add(from_bf16(a[p]), from_bf16(b[p]), sum);
  }
  return sum;
}

inline float sum_of_tiles(const std::vector<Bf16>& a, const std::vector<Bf16>& b, float sum) {
  for (std::size_t tile = 0; tile < a.size(); tile += 32) {
    float even = 0, odd = 0;
    for (std::size_t p = tile; p < tile + 32; p += 2) {
      even = bf16_multiply_add(from_bf16(a[p]), from_bf16(b[p]), even);
      odd = bf16_multiply_add(from_bf16(a[p + 1]), from_bf16(b[p + 1]), odd);
    }
    sum = bf16_multiply_add(1, sum, bf16_multiply_add(1, even, odd));
  }
  return sum;
}

// The order of the set of kernels with this name.
inline float bf16_sum(const std::string& kernels, const std::vector<Bf16>& a, const std::vector<Bf16>& b,
                      float sum) {
  return kernels == "amx" ? sum_of_tiles(a, b, sum) : sum_of_pairs(a, b, sum);
}

// The same bits, or both NaN.
inline bool same_number(float x, float y) {
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y) ||
         (std::isnan(x) && std::isnan(y));
}

}  // namespace plainformer
