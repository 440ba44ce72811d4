// bfloat16, the upper half of a float: a sign, 8 bits of exponent, 7 of fraction. And the products of matrices
// whose elements are bfloat16 and whose sums are float.
//
// Two orders of summation exist, each an instruction's own. Both round to the nearest, ties to even, and take
// subnormal numbers for zeros of the same sign, in inputs, sums and results. The order of pairs (vdpbf16ps)
// adds the products of a pair to a sum one after the other, the second first:
//   s <- fma(a[p + 1], b[p + 1], s), then s <- fma(a[p], b[p], s), for p = 0, 2, 4, ...
// The order of tiles (tdpbf16ps) takes 32 products at a time, p .. p + 31, in two chains that start from 0:
//   even <- fma(a[p], b[p], even), odd <- fma(a[p + 1], b[p + 1], odd), ...;    s <- s + (even + odd)
// So an element's bits depend on its row of a, its column of b and the order alone. Where the instruction of
// the pairs is missing, emulations give the same bits. (A NaN is a NaN; its payload may differ.)
#pragma once

#include <cstdint>
#include <cstring>

#include "core/real.h"

namespace plainformer {

using Bf16 = std::uint16_t;

// What std::bit_cast does, which the browser's library lacks.
inline std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

inline float float_of(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// The nearest bfloat16; of two equally near ones the even one. NaN stays NaN, and a subnormal number becomes
// zero.
inline Bf16 to_bf16(Real x) {
  const std::uint32_t bits = bits_of(static_cast<float>(x));
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<Bf16>(bits >> 16 | 0x40);  // as a quiet NaN
  if (magnitude < 0x00800000) return static_cast<Bf16>(bits >> 16 & 0x8000);
  return static_cast<Bf16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float from_bf16(Bf16 x) {
  return float_of(std::uint32_t{x} << 16);
}

// Packed factors have one format for all sets of kernels. The sum is filled up with zeros to a multiple of
// kBf16DepthStep. The right factor consists of micro-panels of kBf16PanelCols columns, the last one filled up
// with zeros.
inline constexpr Index kBf16DepthStep = 32, kBf16PanelCols = 32;

// The argument of a product, c (+)= a b, then + bias.
struct Bf16Block {
  Index rows, cols, depth;  // depth: a multiple of kBf16DepthStep, or 0
  // Element (i, p) at a[i * a_row_stride + p]. The rows up to a multiple of 16 can be read.
  const Bf16* a;
  Index a_row_stride;  // a multiple of 32
  // The pairs of a column are side by side: element (p, j) of micro-panel s is
  // b[s * b_panel_stride + (p / 2 * kBf16PanelCols + j) * 2 + p % 2].
  const Bf16* b;
  Index b_panel_stride;
  Real* c;  // element (i, j) at c[i * c_row_stride + j]
  Index c_row_stride;
  bool accumulate;
  const Real* bias;  // [cols], added to the finished sums as floats; or null
};

// A matrix of floats, element (i, j) at data[i * row_stride + j].
struct Bf16Source {
  const Real* data;
  Index rows, cols, row_stride;
};

// The products in half precision of one set of kernels.
struct Bf16Kernels {
  void (*multiply)(const Bf16Block& block);

  // Rounding and packing of the factors. The left factor is x, or x transposed: element (i, p) goes to
  // to[i * to_row_stride + p].
  void (*pack_left)(const Bf16Source& x, Bf16* to, Index to_row_stride);
  void (*pack_left_transposed)(const Bf16Source& x, Bf16* to, Index to_row_stride);
  // The right factor is x, or x transposed: micro-panels as above, one after the other.
  void (*pack_right)(const Bf16Source& x, Bf16* to);
  void (*pack_right_transposed)(const Bf16Source& x, Bf16* to);
};

// The depth of a packed factor: `depth` filled up to a multiple of kBf16DepthStep.
inline constexpr Index bf16_depth(Index depth) {
  return (depth + kBf16DepthStep - 1) / kBf16DepthStep * kBf16DepthStep;
}

}  // namespace plainformer
