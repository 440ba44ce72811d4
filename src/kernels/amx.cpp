// The kernels of avx512, but products in half precision by AMX: tdpbf16ps multiplies a tile of 16 rows and 32
// columns by one of 32 rows and 16 columns, 8192 multiply-adds in one instruction.
#include <atomic>

#include "kernels/avx512_vector.h"

#ifdef PLAINFORMER_AMX

namespace plainformer::amx {
namespace {

constexpr Index kTile = 16;      // rows, and floats in a row, of a tile of sums
constexpr Index kTileRows = 32;  // two by two tiles of sums are computed together
constexpr Index kTileCols = kBf16PanelCols;

// The configuration of the tile registers: all eight are 16 rows of 64 bytes. They are released in the end, so
// that the system need not save them when it changes threads.
struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1, start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfiguration) == 64);

// Finishes all stores first, because GCC's intrinsics do not tell the compiler which memory they read.
ALWAYS_INLINE void finish_stores() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

// sums += a b for a tile of c. Tiles 0 to 3 hold the sums, as 2 x 2, tiles 4 and 5 hold a, and 6 and 7 hold b. The
// sums come from `sums`, which has `stride` floats a row, and go back there.
template <bool kTwoDown, bool kTwoAcross>
TARGET_AMX void add_products(const Bf16Block& block, const Bf16* a, const Bf16* b, bool from_zero,
                             float* sums, Index stride) {
  const Index row_bytes = stride * Index{sizeof(float)}, a_bytes = block.a_row_stride * Index{sizeof(Bf16)};
  constexpr Index kPanelBytes = kTileCols * 2 * Index{sizeof(Bf16)};
  float* lower = sums + kTile * stride;
  if (from_zero) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  } else {
    finish_stores();
    _tile_loadd(0, sums, row_bytes);
    if constexpr (kTwoAcross) _tile_loadd(1, sums + kTile, row_bytes);
    if constexpr (kTwoDown) _tile_loadd(2, lower, row_bytes);
    if constexpr (kTwoDown && kTwoAcross) _tile_loadd(3, lower + kTile, row_bytes);
  }

  // Main loop, 32 products of each sum at a step.
  const Bf16* a_lower = a + kTile * block.a_row_stride;
  for (Index p = 0; p < block.depth; p += kBf16DepthStep) {
    _tile_loadd(6, b, kPanelBytes);
    _tile_loadd(4, a, a_bytes);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (kTwoAcross) {
      _tile_loadd(7, b + 2 * kTile, kPanelBytes);
      _tile_dpbf16ps(1, 4, 7);
    }
    if constexpr (kTwoDown) {
      _tile_loadd(5, a_lower, a_bytes);
      _tile_dpbf16ps(2, 5, 6);
    }
    if constexpr (kTwoDown && kTwoAcross) _tile_dpbf16ps(3, 5, 7);
    a += kBf16DepthStep;
    a_lower += kBf16DepthStep;
    b += kBf16DepthStep * kTileCols;
  }

  _tile_stored(0, sums, row_bytes);
  if constexpr (kTwoAcross) _tile_stored(1, sums + kTile, row_bytes);
  if constexpr (kTwoDown) _tile_stored(2, lower, row_bytes);
  if constexpr (kTwoDown && kTwoAcross) _tile_stored(3, lower + kTile, row_bytes);
}

// A part of c that is copied to and from a buffer of kTileRows x kTileCols.
struct Edge {
  float* c;
  Index c_row_stride, rows, cols;
  const float* bias;

  TARGET_AMX void load_into(float* buffer) const {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; j += kTile)
        _mm512_storeu_ps(buffer + i * kTileCols + j,
                         avx512::load(c + i * c_row_stride + j, avx512::first_lanes(cols - j)));
  }

  TARGET_AMX void store_from(const float* buffer) const {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; j += kTile) {
        const __mmask16 lanes = avx512::first_lanes(cols - j);
        __m512 sums = _mm512_loadu_ps(buffer + i * kTileCols + j);
        if (bias) sums = _mm512_add_ps(sums, avx512::load(bias + j, lanes));
        avx512::store(c + i * c_row_stride + j, lanes, sums);
      }
  }
};

// One tile of c: in place if it is whole and has no bias, else by way of a buffer.
TARGET_AMX void multiply_tile(const Bf16Block& block, Index i, Index j) {
  const Index rows = block.rows - i < kTileRows ? block.rows - i : kTileRows;
  const Index cols = block.cols - j < kTileCols ? block.cols - j : kTileCols;
  const Bf16* a = block.a + i * block.a_row_stride;
  const Bf16* b = block.b + j / kBf16PanelCols * block.b_panel_stride;
  float* c = block.c + i * block.c_row_stride + j;
  if (rows == kTileRows && cols == kTileCols && !block.bias)
    return add_products<true, true>(block, a, b, !block.accumulate, c, block.c_row_stride);

  alignas(64) float buffer[kTileRows * kTileCols];
  const Edge edge = {c, block.c_row_stride, rows, cols, block.bias ? block.bias + j : nullptr};
  if (block.accumulate) edge.load_into(buffer);
  if (rows > kTile && cols > kTile)
    add_products<true, true>(block, a, b, !block.accumulate, buffer, kTileCols);
  else if (rows > kTile)
    add_products<true, false>(block, a, b, !block.accumulate, buffer, kTileCols);
  else if (cols > kTile)
    add_products<false, true>(block, a, b, !block.accumulate, buffer, kTileCols);
  else
    add_products<false, false>(block, a, b, !block.accumulate, buffer, kTileCols);
  edge.store_from(buffer);
}

TARGET_AMX void multiply(const Bf16Block& block) {
  const TileConfiguration configuration;
  finish_stores();
  _tile_loadconfig(&configuration);
  for (Index i = 0; i < block.rows; i += kTileRows)
    for (Index j = 0; j < block.cols; j += kTileCols) multiply_tile(block, i, j);
  _tile_release();
}

}  // namespace

constinit const Bf16Kernels kBf16Kernels = {
    .multiply = multiply,
    .pack_left = avx512::pack_left_bf16,
    .pack_left_transposed = avx512::pack_left_transposed_bf16,
    .pack_right = avx512::pack_right_bf16,
    .pack_right_transposed = avx512::pack_right_transposed_bf16,
};

}  // namespace plainformer::amx
#endif
