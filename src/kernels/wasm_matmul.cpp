// Matrix products with WebAssembly's vectors.
//
// WebAssembly has no fused multiply-add, and the scalar kernels use none. So both compute the same bits.
#include "kernels/instruction_sets.h"

#ifdef PLAINFORMER_WASM
#include <wasm_simd128.h>

#include <array>
#include <utility>

namespace plainformer::wasm {
namespace {

constexpr Index kLanes = 4;

// The first `count` elements. Lanes beyond are not read, and are 0.
ALWAYS_INLINE v128_t load(const float* x, Index count) {
  if (count >= kLanes) return wasm_v128_load(x);
  float buffer[kLanes] = {};
  for (Index i = 0; i < count; ++i) buffer[i] = x[i];
  return wasm_v128_load(buffer);
}

ALWAYS_INLINE void store(float* y, Index count, v128_t value) {
  if (count >= kLanes) return wasm_v128_store(y, value);
  float buffer[kLanes];
  wasm_v128_store(buffer, value);
  for (Index i = 0; i < count; ++i) y[i] = buffer[i];
}

// A tile of kRows rows and kVectors vectors, whose sums stay in registers from the first p to the last.
// kFull says that all lanes of all vectors are in use.
template <int kRows, int kVectors, bool kFull>
void micro_kernel_of_size(const MicroTile& tile) {
  Index count[kVectors];
  for (int v = 0; v < kVectors; ++v) count[v] = kFull ? kLanes : tile.cols - v * kLanes;

  v128_t sums[kRows][kVectors];
  UNROLL(4)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(8)
    for (int v = 0; v < kVectors; ++v)
      sums[i][v] = tile.accumulate ? load(tile.c + i * tile.c_row_stride + v * kLanes, count[v])
                                   : wasm_f32x4_const_splat(0);
  }

  // Main loop, one p at a step: row p of b times each element of column p of a.
  const float *a = tile.a, *b = tile.b;
  for (Index p = tile.depth; p > 0; --p) {
    v128_t b_row[kVectors];
    UNROLL(8)
    for (int v = 0; v < kVectors; ++v) b_row[v] = load(b + v * kLanes, count[v]);
    UNROLL(4)
    for (int i = 0; i < kRows; ++i) {
      const v128_t factor = wasm_v128_load32_splat(a + i * tile.a_row_stride);
      UNROLL(8)
      for (int v = 0; v < kVectors; ++v)
        sums[i][v] = wasm_f32x4_add(sums[i][v], wasm_f32x4_mul(factor, b_row[v]));
    }
    a += tile.a_depth_stride;
    b += tile.b_row_stride;
  }

  UNROLL(4)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(8)
    for (int v = 0; v < kVectors; ++v) {
      if (tile.bias) sums[i][v] = wasm_f32x4_add(sums[i][v], load(tile.bias + v * kLanes, count[v]));
      store(tile.c + i * tile.c_row_stride + v * kLanes, count[v], sums[i][v]);
    }
  }
}

// The instances for 1, 2, ... kTileRows rows.
using MicroKernel = void (*)(const MicroTile& tile);
using MicroKernels = std::array<MicroKernel, kTileRows>;

template <int kVectors, bool kFull, int... kRowsMinusOne>
constexpr MicroKernels micro_kernels(std::integer_sequence<int, kRowsMinusOne...>) {
  return {micro_kernel_of_size<kRowsMinusOne + 1, kVectors, kFull>...};
}

template <int kVectors, bool kFull>
constexpr MicroKernels kMicroKernels =
    micro_kernels<kVectors, kFull>(std::make_integer_sequence<int, kTileRows>());

}  // namespace

// Remainders: each number of rows has an instance of its own. A vector with missing columns is
// copied through a buffer at each step, and a vector without any column is not computed.
void micro_kernel(const MicroTile& tile) {
  if (tile.cols == kRowTileCols) return micro_kernel_of_size<1, kRowTileCols / kLanes, true>(tile);
  const MicroKernels* micro_kernels = &kMicroKernels<1, false>;
  if (tile.cols > kLanes) micro_kernels = &kMicroKernels<2, false>;
  if (tile.cols == kTileCols) micro_kernels = &kMicroKernels<2, true>;
  (*micro_kernels)[static_cast<std::size_t>(tile.rows - 1)](tile);
}

void pack(Index cols, Index depth, const float* from, Index from_row_stride, Index width, float* to) {
  for (Index j = 0; j < cols; j += width) {
    const Index panel_cols = cols - j < width ? cols - j : width;
    for (Index p = 0; p < depth; ++p) {
      const float* row = from + p * from_row_stride + j;
      float* panel_row = to + j * depth + p * width;
      for (Index v = 0; v < panel_cols; v += kLanes)
        store(panel_row + v, panel_cols - v, load(row + v, panel_cols - v));
    }
  }
}

void pack_transposed(Index cols, Index depth, const float* from, Index from_row_stride, float* to) {
  for (Index p = 0; p < depth; ++p)
    for (Index j = 0; j < cols; ++j) to[p * kTileCols + j] = from[j * from_row_stride + p];
}

}  // namespace plainformer::wasm
#endif
