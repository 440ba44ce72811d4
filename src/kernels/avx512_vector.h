// What the AVX-512 kernels share: partial vectors, sums across lanes, exp. Only for avx512*.cpp.
#pragma once

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_X86
#include <immintrin.h>

ALLOW_UNDEFINED_OPERANDS

namespace plainformer::avx512 {

constexpr Index kLanes = 16;

// The first `count` lanes, all of them from 16 on: a loop's last step needs fewer than the others.
TARGET_AVX512 ALWAYS_INLINE __mmask16 first_lanes(Index count) {
  return static_cast<__mmask16>(_bzhi_u32(0xffff, static_cast<unsigned>(count < kLanes ? count : kLanes)));
}

// Lanes that are masked off are not read, and are 0.
TARGET_AVX512 ALWAYS_INLINE __m512 load(const float* x, __mmask16 lanes) {
  return _mm512_maskz_loadu_ps(lanes, x);
}

TARGET_AVX512 ALWAYS_INLINE void store(float* y, __mmask16 lanes, __m512 value) {
  _mm512_mask_storeu_ps(y, lanes, value);
}

// The sum and the largest of all lanes. Each step combines two halves, until one element is left.
TARGET_AVX512 ALWAYS_INLINE float sum_of_lanes(__m512 x) {
  return _mm512_reduce_add_ps(x);
}

TARGET_AVX512 ALWAYS_INLINE float largest_lane(__m512 x) {
  return _mm512_reduce_max_ps(x);
}

// exp to within 1 unit in the last place; results below the smallest normal number are 0.
//   x = n ln 2 + r with |r| <= ln(2) / 2, so exp(x) = 2^n exp(r); exp(r) = 1 + r + r^2 q(r), where q is the
//   polynomial of degree 4 whose largest relative error is smallest. ln 2 is subtracted in two parts, to keep
//   all bits of r.
// This one is for x up to 89; exp(89) is infinite.
TARGET_AVX512 ALWAYS_INLINE __m512 exp_up_to_89(__m512 x) {
  const __mmask16 normal = _mm512_cmp_ps_mask(x, _mm512_set1_ps(-87.33654f), _CMP_NLT_UQ);  // true for NaN
  const __m512 n =
      _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269502f)), _MM_FROUND_TO_NEAREST_INT);
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693147182f), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-1.90465421e-9f), r);
  __m512 y = _mm512_set1_ps(0.00138145394f);
  y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(0.00836874545f));
  y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(0.041668389f));
  y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(0.166665211f));
  y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(0.49999994f));
  y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(1));
  y = _mm512_fmadd_ps(y, r, _mm512_set1_ps(1));
  return _mm512_maskz_scalef_ps(normal, y, n);
}

// exp of any x.
TARGET_AVX512 ALWAYS_INLINE __m512 exp(__m512 x) {
  return exp_up_to_89(_mm512_min_ps(_mm512_set1_ps(89), x));  // in this order min keeps a NaN
}

}  // namespace plainformer::avx512
#endif
