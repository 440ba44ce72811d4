// The Vector of NEON: 4 floats. Only for the sources of the kernels.
#pragma once

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_NEON
#include <arm_neon.h>

#include <limits>

namespace plainformer::neon {

constexpr Index kLanes = 4, kRegisters = 32;
constexpr bool kPrefetches = false;

using Vector = VECTOR_OF(float, 16);
using Doubles = VECTOR_OF(double, 16);  // half of the lanes, as double
using Integers = VECTOR_OF(std::uint32_t, 16);

// The number of lanes in use, from the first on. A loop's last step has fewer than the others.
using Lanes = Index;
ALWAYS_INLINE Lanes first_lanes(Index count) {
  return count;
}

ALWAYS_INLINE Vector all_lanes(float x) {
  return vdupq_n_f32(x);
}

ALWAYS_INLINE Integers lane_numbers() {
  return Integers{0, 1, 2, 3};
}

ALWAYS_INLINE Vector load(const float* x) {
  return vld1q_f32(x);
}

// Lanes that are not in use are not read, and are 0.
ALWAYS_INLINE Vector load(const float* x, Lanes lanes) {
  if (lanes >= kLanes) return load(x);
  Vector value = {};
  for (Index i = 0; i < lanes; ++i) value[i] = x[i];
  return value;
}

ALWAYS_INLINE void store(float* y, Vector value) {
  vst1q_f32(y, value);
}

ALWAYS_INLINE void store(float* y, Lanes lanes, Vector value) {
  if (lanes >= kLanes) return vst1q_f32(y, value);
  for (Index i = 0; i < lanes; ++i) y[i] = value[i];
}

// a b + c, rounded once.
ALWAYS_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
  return vfmaq_f32(c, a, b);
}

ALWAYS_INLINE Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
  return vfmaq_f64(c, a, b);
}

ALWAYS_INLINE Vector square_root(Vector x) {
  return vsqrtq_f32(x);
}

// The larger one; if one is NaN, the other.
ALWAYS_INLINE Vector larger(Vector a, Vector b) {
  return vmaxnmq_f32(a, b);
}

// The steps of exp(x) that depend on the instruction set: x / ln 2, rounded to an integer n, and y 2^n, which
// is 0 instead of a subnormal number. Adding n to the exponent's bits multiplies by 2^n, unless the result is
// infinite.
ALWAYS_INLINE Vector exponent_of(Vector x_over_ln_2) {
  return vrndnq_f32(x_over_ln_2);
}

ALWAYS_INLINE Vector times_power_of_2(Vector y, Vector n, Vector x) {
  const int32x4_t exponent = vshlq_n_s32(vcvtq_s32_f32(n), 23);
  const Vector product = vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(y), exponent));
  const Vector infinity = all_lanes(std::numeric_limits<float>::infinity());
  const Vector or_infinity = x >= 88.72284f ? infinity : product;
  return x < -87.33654f ? Vector{} : or_infinity;  // NaN stays NaN
}

ALWAYS_INLINE Doubles lower_half(Vector x) {
  return vcvt_f64_f32(vget_low_f32(x));
}

ALWAYS_INLINE Doubles upper_half(Vector x) {
  return vcvt_high_f64_f32(x);
}

// The sum and the largest of all lanes. Each step combines two halves, until one element is left.
ALWAYS_INLINE float sum_of_lanes(Vector x) {
  return vaddvq_f32(x);
}

ALWAYS_INLINE double sum_of_lanes(Doubles x) {
  return vaddvq_f64(x);
}

ALWAYS_INLINE float largest_lane(Vector x) {
  return vmaxnmvq_f32(x);
}

// Four elements, or `left` of them, from row j.
ALWAYS_INLINE Vector load_fours(const float* const rows[kLanes], int j, Index p, Index left) {
  return load(rows[j] + p, left);
}

// Transposes the block of 4 x 4 elements: pairs of single elements, then pairs of pairs.
ALWAYS_INLINE void transpose_fours(Vector (&rows)[4]) {
  const float64x2_t even_01 = vreinterpretq_f64_f32(vtrn1q_f32(rows[0], rows[1]));
  const float64x2_t odd_01 = vreinterpretq_f64_f32(vtrn2q_f32(rows[0], rows[1]));
  const float64x2_t even_23 = vreinterpretq_f64_f32(vtrn1q_f32(rows[2], rows[3]));
  const float64x2_t odd_23 = vreinterpretq_f64_f32(vtrn2q_f32(rows[2], rows[3]));
  rows[0] = vreinterpretq_f32_f64(vtrn1q_f64(even_01, even_23));
  rows[1] = vreinterpretq_f32_f64(vtrn1q_f64(odd_01, odd_23));
  rows[2] = vreinterpretq_f32_f64(vtrn2q_f64(even_01, even_23));
  rows[3] = vreinterpretq_f32_f64(vtrn2q_f64(odd_01, odd_23));
}

// The elements of `lower` and `upper` at even places, and those at odd ones.
ALWAYS_INLINE Vector even_lanes(Vector lower, Vector upper) {
  return vuzp1q_f32(lower, upper);
}

ALWAYS_INLINE Vector odd_lanes(Vector lower, Vector upper) {
  return vuzp2q_f32(lower, upper);
}

}  // namespace plainformer::neon
#endif
