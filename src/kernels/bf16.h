// bfloat16, the upper half of a float: a sign, 8 bits of exponent, 7 of fraction. And the products of
// matrices whose elements are bfloat16 and whose sums are float.
//
// Their micro-kernel reads pairs of factors: two neighbors of the sum, a[i][2 p] and a[i][2 p + 1], in the 32
// bits of a float. A step adds the products of a pair to a sum one after the other, the second first, each
// sum rounded to the nearest:
//   s <- s + a[2 p + 1] b[2 p + 1], then s <- s + a[2 p] b[2 p], for p = 0, 1, 2, ...
// A product of two bfloat16 is exact in a float, unless it overflows or underflows. So all sets of kernels
// give the same bits, whether their instructions fuse or not. (Where a sum is a subnormal number, vdpbf16ps
// takes it for zero, and the others do not.)
#pragma once

#include <cstdint>
#include <cstring>

#include "core/real.h"

namespace plainformer {

using Bf16 = std::uint16_t;

// The nearest bfloat16; of two equally near ones the even one. NaN stays NaN, and a subnormal number becomes
// zero.
inline Bf16 to_bf16(Real x) {
  const auto rounded = static_cast<float>(x);
  std::uint32_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);  // as std::bit_cast, which the browser's library lacks
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<Bf16>(bits >> 16 | 0x40);  // as a quiet NaN
  if (magnitude < 0x00800000) return static_cast<Bf16>(bits >> 16 & 0x8000);
  return static_cast<Bf16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float from_bf16(Bf16 x) {
  const std::uint32_t bits = std::uint32_t{x} << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace plainformer
