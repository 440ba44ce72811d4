// What the NEON kernels share: partial vectors, sums across lanes, exp. Only for neon*.cpp.
#pragma once

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_NEON
#include <arm_neon.h>

namespace plainformer::neon {

constexpr Index kLanes = 4;

// The first `count` elements. Lanes beyond are not read, and are `rest`.
ALWAYS_INLINE float32x4_t load(const float* x, Index count, float rest = 0) {
  if (count >= kLanes) return vld1q_f32(x);
  float buffer[kLanes] = {rest, rest, rest, rest};
  for (Index i = 0; i < count; ++i) buffer[i] = x[i];
  return vld1q_f32(buffer);
}

ALWAYS_INLINE void store(float* y, Index count, float32x4_t value) {
  if (count >= kLanes) return vst1q_f32(y, value);
  float buffer[kLanes];
  vst1q_f32(buffer, value);
  for (Index i = 0; i < count; ++i) y[i] = buffer[i];
}

// `value` where `condition` holds, else 0.
ALWAYS_INLINE float32x4_t where(uint32x4_t condition, float32x4_t value) {
  return vreinterpretq_f32_u32(vandq_u32(condition, vreinterpretq_u32_f32(value)));
}

// `value` with 0 in the lanes from `count` on.
ALWAYS_INLINE float32x4_t only_first(Index count, float32x4_t value) {
  const int32_t lane[kLanes] = {0, 1, 2, 3};
  const auto left = static_cast<int32_t>(count < kLanes ? count : kLanes);
  return where(vcltq_s32(vld1q_s32(lane), vdupq_n_s32(left)), value);
}

// The sum and the largest of all lanes. Each step combines two halves, until one element is left.
ALWAYS_INLINE float sum_of_lanes(float32x4_t x) {
  return vaddvq_f32(x);
}

ALWAYS_INLINE float largest_lane(float32x4_t x) {
  return vmaxnmvq_f32(x);
}

// exp to within 1 unit in the last place; results below the smallest normal number are 0.
//   x = n ln 2 + r with |r| <= ln(2) / 2, so exp(x) = 2^n exp(r); exp(r) = 1 + r + r^2 q(r), where q is the
//   polynomial of degree 4 whose largest relative error is smallest. ln 2 is subtracted in two parts, to keep
//   all bits of r. Adding n to the exponent's bits multiplies by 2^n: the result is normal, or beyond the
//   largest number.
ALWAYS_INLINE float32x4_t exp(float32x4_t x) {
  const float32x4_t infinity = vreinterpretq_f32_u32(vdupq_n_u32(0x7f800000));
  const uint32x4_t too_large = vcgeq_f32(x, vdupq_n_f32(88.72284f));
  const uint32x4_t too_small = vcltq_f32(x, vdupq_n_f32(-87.33654f));  // false for NaN
  const float32x4_t n = vrndnq_f32(vmulq_f32(x, vdupq_n_f32(1.44269502f)));
  float32x4_t r = vfmsq_f32(x, n, vdupq_n_f32(0.693147182f));
  r = vfmsq_f32(r, n, vdupq_n_f32(-1.90465421e-9f));
  float32x4_t y = vdupq_n_f32(0.00138145394f);
  y = vfmaq_f32(vdupq_n_f32(0.00836874545f), y, r);
  y = vfmaq_f32(vdupq_n_f32(0.041668389f), y, r);
  y = vfmaq_f32(vdupq_n_f32(0.166665211f), y, r);
  y = vfmaq_f32(vdupq_n_f32(0.49999994f), y, r);
  y = vfmaq_f32(vdupq_n_f32(1), y, r);
  y = vfmaq_f32(vdupq_n_f32(1), y, r);
  const int32x4_t exponent = vshlq_n_s32(vcvtq_s32_f32(n), 23);
  y = vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(y), exponent));
  return where(vmvnq_u32(too_small), vbslq_f32(too_large, infinity, y));
}

}  // namespace plainformer::neon
#endif
