// The Vector of WebAssembly: 4 floats. Only for the sources of the kernels.
//
// WebAssembly has no fused multiply-add, and the scalar kernels use none. So the products of both have the
// same bits.
#pragma once

#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_WASM
#include <wasm_simd128.h>

namespace plainformer::wasm {

constexpr Index kLanes = 4;
constexpr bool kPrefetches = false;

using Vector = VECTOR_OF(float, 16);
using Integers = VECTOR_OF(std::uint32_t, 16);

// The number of lanes in use, from the first on. A loop's last step has fewer than the others.
using Lanes = Index;
ALWAYS_INLINE Lanes first_lanes(Index count) {
  return count;
}

ALWAYS_INLINE Vector all_lanes(float x) {
  return Vector{x, x, x, x};
}

ALWAYS_INLINE Vector load(const float* x) {
  return reinterpret_cast<Vector>(wasm_v128_load(x));
}

// Lanes that are not in use are not read, and are 0.
ALWAYS_INLINE Vector load(const float* x, Lanes lanes) {
  if (lanes >= kLanes) return load(x);
  Vector value = {};
  for (Index i = 0; i < lanes; ++i) value[i] = x[i];
  return value;
}

ALWAYS_INLINE void store(float* y, Lanes lanes, Vector value) {
  if (lanes >= kLanes) return wasm_v128_store(y, reinterpret_cast<v128_t>(value));
  for (Index i = 0; i < lanes; ++i) y[i] = value[i];
}

// a b + c, rounded twice.
ALWAYS_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
  return a * b + c;
}

// Four elements, or `left` of them, from row j.
ALWAYS_INLINE Vector load_fours(const float* const rows[kLanes], int j, Index p, Index left) {
  return load(rows[j] + p, left);
}

// Transposes the block of 4 x 4 elements: pairs of single elements, then pairs of pairs.
ALWAYS_INLINE void transpose_fours(Vector (&rows)[4]) {
  const Vector low_01 = reinterpret_cast<Vector>(wasm_i32x4_shuffle(rows[0], rows[1], 0, 4, 1, 5));
  const Vector high_01 = reinterpret_cast<Vector>(wasm_i32x4_shuffle(rows[0], rows[1], 2, 6, 3, 7));
  const Vector low_23 = reinterpret_cast<Vector>(wasm_i32x4_shuffle(rows[2], rows[3], 0, 4, 1, 5));
  const Vector high_23 = reinterpret_cast<Vector>(wasm_i32x4_shuffle(rows[2], rows[3], 2, 6, 3, 7));
  rows[0] = reinterpret_cast<Vector>(wasm_i32x4_shuffle(low_01, low_23, 0, 1, 4, 5));
  rows[1] = reinterpret_cast<Vector>(wasm_i32x4_shuffle(low_01, low_23, 2, 3, 6, 7));
  rows[2] = reinterpret_cast<Vector>(wasm_i32x4_shuffle(high_01, high_23, 0, 1, 4, 5));
  rows[3] = reinterpret_cast<Vector>(wasm_i32x4_shuffle(high_01, high_23, 2, 3, 6, 7));
}

}  // namespace plainformer::wasm
#endif
