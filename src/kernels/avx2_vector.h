// What the AVX2 kernels share: partial vectors, sums across lanes, exp. Only for avx2*.cpp.
#pragma once

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_X86
#include <immintrin.h>

namespace plainformer::avx2 {

constexpr Index kLanes = 8;

// The first `count` lanes, as the sign bits that masked loads and stores read.
TARGET_AVX2 ALWAYS_INLINE __m256i first_lanes(Index count) {
  const auto left = static_cast<int>(count < kLanes ? count : kLanes);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(left), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

// The first `count` elements. Lanes beyond are not read, and are 0.
TARGET_AVX2 ALWAYS_INLINE __m256 load(const float* x, Index count) {
  return count >= kLanes ? _mm256_loadu_ps(x) : _mm256_maskload_ps(x, first_lanes(count));
}

TARGET_AVX2 ALWAYS_INLINE void store(float* y, Index count, __m256 value) {
  if (count >= kLanes)
    _mm256_storeu_ps(y, value);
  else
    _mm256_maskstore_ps(y, first_lanes(count), value);
}

// `value` with 0 in the lanes from `count` on.
TARGET_AVX2 ALWAYS_INLINE __m256 only_first(Index count, __m256 value) {
  return count >= kLanes ? value : _mm256_and_ps(value, _mm256_castsi256_ps(first_lanes(count)));
}

// The sum and the largest of all lanes. Each step combines two halves, until one element is left.
TARGET_AVX2 ALWAYS_INLINE float sum_of_lanes(__m256 x) {
  __m128 sums = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  sums = _mm_add_ps(sums, _mm_movehl_ps(sums, sums));
  return _mm_cvtss_f32(_mm_add_ss(sums, _mm_movehdup_ps(sums)));
}

TARGET_AVX2 ALWAYS_INLINE float largest_lane(__m256 x) {
  __m128 largest = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  largest = _mm_max_ps(largest, _mm_movehl_ps(largest, largest));
  return _mm_cvtss_f32(_mm_max_ss(largest, _mm_movehdup_ps(largest)));
}

// exp to within 1 unit in the last place; results below the smallest normal number are 0.
//   x = n ln 2 + r with |r| <= ln(2) / 2, so exp(x) = 2^n exp(r); exp(r) = 1 + r + r^2 q(r), where q is the
//   polynomial of degree 4 whose largest relative error is smallest. ln 2 is subtracted in two parts, to keep
//   all bits of r. Adding n to the exponent's bits multiplies by 2^n: the result is normal, or beyond the
//   largest number.
TARGET_AVX2 ALWAYS_INLINE __m256 exp(__m256 x) {
  const __m256 infinity = _mm256_castsi256_ps(_mm256_set1_epi32(0x7f800000));
  const __m256 too_large = _mm256_cmp_ps(x, _mm256_set1_ps(88.72284f), _CMP_GE_OQ);
  const __m256 normal = _mm256_cmp_ps(x, _mm256_set1_ps(-87.33654f), _CMP_NLT_UQ);  // true for NaN
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269502f)), _MM_FROUND_TO_NEAREST_INT);
  __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693147182f), x);
  r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-1.90465421e-9f), r);
  __m256 y = _mm256_set1_ps(0.00138145394f);
  y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(0.00836874545f));
  y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(0.041668389f));
  y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(0.166665211f));
  y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(0.49999994f));
  y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1));
  y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1));
  const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23);
  y = _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(y), exponent));
  return _mm256_and_ps(normal, _mm256_blendv_ps(y, infinity, too_large));
}

}  // namespace plainformer::avx2
#endif
