// The Vector of AVX2: 8 floats. Only for the sources of the kernels.
#pragma once

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_X86
#include <immintrin.h>

#include <limits>

namespace plainformer::avx2 {

constexpr Index kLanes = 8, kRegisters = 16;
constexpr bool kPrefetches = false;

using Vector = __m256;
using Doubles = __m256d;  // half of the lanes, as double
using Integers = VECTOR_OF(std::uint32_t, 32);

// The number of lanes in use, from the first on. A loop's last step has fewer than the others.
using Lanes = Index;
ALWAYS_INLINE Lanes first_lanes(Index count) {
  return count;
}

// The lanes in use, as the sign bits that masked loads and stores read.
TARGET_AVX2 ALWAYS_INLINE __m256i mask_of(Lanes lanes) {
  const auto left = static_cast<int>(lanes < kLanes ? lanes : kLanes);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(left), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

TARGET_AVX2 ALWAYS_INLINE Vector all_lanes(float x) {
  return _mm256_set1_ps(x);
}

TARGET_AVX2 ALWAYS_INLINE Integers lane_numbers() {
  return Integers{0, 1, 2, 3, 4, 5, 6, 7};
}

TARGET_AVX2 ALWAYS_INLINE Vector load(const float* x) {
  return _mm256_loadu_ps(x);
}

// Lanes that are not in use are not read, and are 0.
TARGET_AVX2 ALWAYS_INLINE Vector load(const float* x, Lanes lanes) {
  return lanes >= kLanes ? load(x) : _mm256_maskload_ps(x, mask_of(lanes));
}

TARGET_AVX2 ALWAYS_INLINE void store(float* y, Vector value) {
  _mm256_storeu_ps(y, value);
}

TARGET_AVX2 ALWAYS_INLINE void store(float* y, Lanes lanes, Vector value) {
  if (lanes >= kLanes)
    _mm256_storeu_ps(y, value);
  else
    _mm256_maskstore_ps(y, mask_of(lanes), value);
}

// a b + c, rounded once.
TARGET_AVX2 ALWAYS_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
  return _mm256_fmadd_ps(a, b, c);
}

TARGET_AVX2 ALWAYS_INLINE Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
  return _mm256_fmadd_pd(a, b, c);
}

TARGET_AVX2 ALWAYS_INLINE Vector square_root(Vector x) {
  return _mm256_sqrt_ps(x);
}

// The larger one; b if a is NaN.
TARGET_AVX2 ALWAYS_INLINE Vector larger(Vector a, Vector b) {
  return _mm256_max_ps(a, b);
}

// The steps of exp(x) that depend on the instruction set: x / ln 2, rounded to an integer n, and y 2^n, which
// is 0 instead of a subnormal number. Adding n to the exponent's bits multiplies by 2^n, unless the result is
// infinite.
TARGET_AVX2 ALWAYS_INLINE Vector exponent_of(Vector x_over_ln_2) {
  return _mm256_round_ps(x_over_ln_2, _MM_FROUND_TO_NEAREST_INT);
}

TARGET_AVX2 ALWAYS_INLINE Vector times_power_of_2(Vector y, Vector n, Vector x) {
  const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23);
  const Vector product = _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(y), exponent));
  const Vector infinity = all_lanes(std::numeric_limits<float>::infinity());
  const Vector or_infinity = x >= 88.72284f ? infinity : product;
  return x < -87.33654f ? Vector{} : or_infinity;  // NaN stays NaN
}

TARGET_AVX2 ALWAYS_INLINE Doubles lower_half(Vector x) {
  return _mm256_cvtps_pd(_mm256_castps256_ps128(x));
}

TARGET_AVX2 ALWAYS_INLINE Doubles upper_half(Vector x) {
  return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));
}

// The sum and the largest of all lanes. Each step combines two halves, until one element is left.
TARGET_AVX2 ALWAYS_INLINE float sum_of_lanes(Vector x) {
  __m128 sums = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  sums = _mm_add_ps(sums, _mm_movehl_ps(sums, sums));
  return _mm_cvtss_f32(_mm_add_ss(sums, _mm_movehdup_ps(sums)));
}

TARGET_AVX2 ALWAYS_INLINE double sum_of_lanes(Doubles x) {
  const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
  return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
}

TARGET_AVX2 ALWAYS_INLINE float largest_lane(Vector x) {
  __m128 largest = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  largest = _mm_max_ps(largest, _mm_movehl_ps(largest, largest));
  return _mm_cvtss_f32(_mm_max_ss(largest, _mm_movehdup_ps(largest)));
}

// Four elements, or `left` of them, from row j in the first lanes, and from row j + 4 in the next ones.
TARGET_AVX2 ALWAYS_INLINE Vector load_fours(const float* const rows[kLanes], int j, Index p, Index left) {
  const __m128i valid = _mm_cmpgt_epi32(_mm_set1_epi32(static_cast<int>(left)), _mm_setr_epi32(0, 1, 2, 3));
  const __m128 lower = _mm_maskload_ps(rows[j] + p, valid), upper = _mm_maskload_ps(rows[j + 4] + p, valid);
  return _mm256_insertf128_ps(_mm256_castps128_ps256(lower), upper, 1);
}

// Transposes each block of 4 x 4 elements: pairs of single elements, then pairs of pairs.
TARGET_AVX2 ALWAYS_INLINE void transpose_fours(Vector (&rows)[4]) {
  const Vector low_01 = _mm256_unpacklo_ps(rows[0], rows[1]), high_01 = _mm256_unpackhi_ps(rows[0], rows[1]);
  const Vector low_23 = _mm256_unpacklo_ps(rows[2], rows[3]), high_23 = _mm256_unpackhi_ps(rows[2], rows[3]);
  rows[0] = _mm256_shuffle_ps(low_01, low_23, 0x44);
  rows[1] = _mm256_shuffle_ps(low_01, low_23, 0xee);
  rows[2] = _mm256_shuffle_ps(high_01, high_23, 0x44);
  rows[3] = _mm256_shuffle_ps(high_01, high_23, 0xee);
}

// The elements of `lower` and `upper` at even places, and those at odd ones.
TARGET_AVX2 ALWAYS_INLINE Vector even_lanes(Vector lower, Vector upper) {
  const __m256d mixed = _mm256_castps_pd(_mm256_shuffle_ps(lower, upper, 0x88));
  return _mm256_castpd_ps(_mm256_permute4x64_pd(mixed, 0xd8));
}

TARGET_AVX2 ALWAYS_INLINE Vector odd_lanes(Vector lower, Vector upper) {
  const __m256d mixed = _mm256_castps_pd(_mm256_shuffle_ps(lower, upper, 0xdd));
  return _mm256_castpd_ps(_mm256_permute4x64_pd(mixed, 0xd8));
}

}  // namespace plainformer::avx2
#endif
