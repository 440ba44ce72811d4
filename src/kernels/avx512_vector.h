// The Vector of AVX-512: 16 floats. Only for the sources of the kernels.
#pragma once

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_X86
#include <immintrin.h>

ALLOW_UNDEFINED_OPERANDS

namespace plainformer::avx512 {

constexpr Index kLanes = 16, kRegisters = 32;
constexpr bool kPrefetches = true;

using Vector = __m512;
using Doubles = __m512d;  // half of the lanes, as double
using Integers = VECTOR_OF(std::uint32_t, 64);

// The lanes in use, from the first on, as a mask. A loop's last step has fewer than the others.
using Lanes = __mmask16;
TARGET_AVX512 ALWAYS_INLINE Lanes first_lanes(Index count) {
  return static_cast<Lanes>(_bzhi_u32(0xffff, static_cast<unsigned>(count < kLanes ? count : kLanes)));
}

TARGET_AVX512 ALWAYS_INLINE Vector all_lanes(float x) {
  return _mm512_set1_ps(x);
}

TARGET_AVX512 ALWAYS_INLINE Integers lane_numbers() {
  return Integers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

TARGET_AVX512 ALWAYS_INLINE Vector load(const float* x) {
  return _mm512_loadu_ps(x);
}

// Lanes that are not in use are not read, and are 0.
TARGET_AVX512 ALWAYS_INLINE Vector load(const float* x, Lanes lanes) {
  return _mm512_maskz_loadu_ps(lanes, x);
}

TARGET_AVX512 ALWAYS_INLINE void store(float* y, Vector value) {
  _mm512_storeu_ps(y, value);
}

TARGET_AVX512 ALWAYS_INLINE void store(float* y, Lanes lanes, Vector value) {
  _mm512_mask_storeu_ps(y, lanes, value);
}

// a b + c, rounded once.
TARGET_AVX512 ALWAYS_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
  return _mm512_fmadd_ps(a, b, c);
}

TARGET_AVX512 ALWAYS_INLINE Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
  return _mm512_fmadd_pd(a, b, c);
}

TARGET_AVX512 ALWAYS_INLINE Vector square_root(Vector x) {
  return _mm512_sqrt_ps(x);
}

// The larger one; b if a is NaN.
TARGET_AVX512 ALWAYS_INLINE Vector larger(Vector a, Vector b) {
  return _mm512_max_ps(a, b);
}

// The steps of exp(x) that depend on the instruction set: x / ln 2, rounded to an integer n, and y 2^n, which
// is 0 instead of a subnormal number. From n = 129 on the result is infinite. A limit beyond keeps x =
// infinity from making NaN. (In this order min keeps a NaN.)
TARGET_AVX512 ALWAYS_INLINE Vector exponent_of(Vector x_over_ln_2) {
  return _mm512_roundscale_ps(_mm512_min_ps(_mm512_set1_ps(200), x_over_ln_2), _MM_FROUND_TO_NEAREST_INT);
}

TARGET_AVX512 ALWAYS_INLINE Vector times_power_of_2(Vector y, Vector n, Vector x) {
  const __mmask16 normal = _mm512_cmp_ps_mask(x, _mm512_set1_ps(-87.33654f), _CMP_NLT_UQ);  // true for NaN
  return _mm512_maskz_scalef_ps(normal, y, n);
}

TARGET_AVX512 ALWAYS_INLINE Doubles lower_half(Vector x) {
  return _mm512_cvtps_pd(_mm512_castps512_ps256(x));
}

TARGET_AVX512 ALWAYS_INLINE Doubles upper_half(Vector x) {
  return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1));
}

// The sum and the largest of all lanes. Each step combines two halves, until one element is left.
TARGET_AVX512 ALWAYS_INLINE float sum_of_lanes(Vector x) {
  return _mm512_reduce_add_ps(x);
}

TARGET_AVX512 ALWAYS_INLINE double sum_of_lanes(Doubles x) {
  return _mm512_reduce_add_pd(x);
}

TARGET_AVX512 ALWAYS_INLINE float largest_lane(Vector x) {
  return _mm512_reduce_max_ps(x);
}

// Four elements, or `left` of them, from each of the rows j, j + 4, j + 8 and j + 12.
TARGET_AVX512 ALWAYS_INLINE Vector load_fours(const float* const rows[kLanes], int j, Index p, Index left) {
  const auto valid = static_cast<__mmask8>((1 << left) - 1);
  Vector fours = _mm512_castps128_ps512(_mm_maskz_loadu_ps(valid, rows[j] + p));
  fours = _mm512_insertf32x4(fours, _mm_maskz_loadu_ps(valid, rows[j + 4] + p), 1);
  fours = _mm512_insertf32x4(fours, _mm_maskz_loadu_ps(valid, rows[j + 8] + p), 2);
  return _mm512_insertf32x4(fours, _mm_maskz_loadu_ps(valid, rows[j + 12] + p), 3);
}

// Transposes each block of 4 x 4 elements: pairs of single elements, then pairs of pairs.
TARGET_AVX512 ALWAYS_INLINE void transpose_fours(Vector (&rows)[4]) {
  const Vector low_01 = _mm512_unpacklo_ps(rows[0], rows[1]), high_01 = _mm512_unpackhi_ps(rows[0], rows[1]);
  const Vector low_23 = _mm512_unpacklo_ps(rows[2], rows[3]), high_23 = _mm512_unpackhi_ps(rows[2], rows[3]);
  rows[0] = _mm512_shuffle_ps(low_01, low_23, 0x44);
  rows[1] = _mm512_shuffle_ps(low_01, low_23, 0xee);
  rows[2] = _mm512_shuffle_ps(high_01, high_23, 0x44);
  rows[3] = _mm512_shuffle_ps(high_01, high_23, 0xee);
}

// The elements of `lower` and `upper` at even places, and those at odd ones.
TARGET_AVX512 ALWAYS_INLINE Vector even_lanes(Vector lower, Vector upper) {
  return _mm512_permutex2var_ps(lower, reinterpret_cast<__m512i>(2 * lane_numbers()), upper);
}

TARGET_AVX512 ALWAYS_INLINE Vector odd_lanes(Vector lower, Vector upper) {
  return _mm512_permutex2var_ps(lower, reinterpret_cast<__m512i>(2 * lane_numbers() + 1), upper);
}

}  // namespace plainformer::avx512
#endif
