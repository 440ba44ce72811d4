// Products in half precision with AVX-512 where the processor lacks AVX512-BF16. Two fused multiply-adds, in the mode
// that takes subnormal numbers for zeros, give the bits of vdpbf16ps.
#include "kernels/avx512_vector.h"
#include "kernels/zeros_for_subnormals.h"

#ifdef PLAINFORMER_X86
#include <array>
#include <utility>

namespace plainformer::avx512 {
namespace {

constexpr int kEmulatedRows = 12;
constexpr Index kChunk = 256;  // so much of the depth at once

// Some rows of the left factor as floats, so that a multiply-add reads its factor from memory as in a product of
// floats.
struct LeftChunk {
  alignas(64) float rows[kEmulatedRows][kChunk];
};

TARGET_AVX512 void unpack(const Bf16* a, Index a_row_stride, Index rows, Index depth, LeftChunk& to) {
  for (Index row = 0; row < rows; ++row)
    for (Index p = 0; p < depth; p += kLanes) {
      const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + row * a_row_stride + p));
      _mm512_store_si512(&to.rows[row][p], _mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
    }
}

// The part of the product that adds `depth` products to each sum of a tile.
struct EmulatedTile {
  Index depth, cols;
  const Bf16* b;
  float* c;
  Index c_row_stride;
  bool accumulate;
};

// c (+)= a b for kRows rows and kVectors vectors of columns. Each 32-bit lane of b holds a pair.
template <int kRows, int kVectors>
TARGET_AVX512 void add_products(const LeftChunk& a, const EmulatedTile& tile) {
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  __mmask16 lanes[kVectors];
  for (int v = 0; v < kVectors; ++v) lanes[v] = first_lanes(tile.cols - v * kLanes);
  __m512 sums[kRows][kVectors];
  UNROLL(16)
  for (int row = 0; row < kRows; ++row) {
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v)
      sums[row][v] = tile.accumulate ? load(tile.c + row * tile.c_row_stride + v * kLanes, lanes[v])
                                     : _mm512_setzero_ps();
  }
  for (Index p = 0; p < tile.depth; p += 2) {
    __m512 first[kVectors], second[kVectors];
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v) {
      const __m512i pairs = _mm512_loadu_si512(tile.b + p * kBf16PanelCols + v * 2 * kLanes);
      first[v] = _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16));
      second[v] = _mm512_castsi512_ps(_mm512_and_si512(pairs, upper));
    }
    UNROLL(16)
    for (int row = 0; row < kRows; ++row) {
      const __m512 factor = _mm512_set1_ps(a.rows[row][p + 1]);
      UNROLL(2)
      for (int v = 0; v < kVectors; ++v) sums[row][v] = _mm512_fmadd_ps(factor, second[v], sums[row][v]);
    }
    UNROLL(16)
    for (int row = 0; row < kRows; ++row) {
      const __m512 factor = _mm512_set1_ps(a.rows[row][p]);
      UNROLL(2)
      for (int v = 0; v < kVectors; ++v) sums[row][v] = _mm512_fmadd_ps(factor, first[v], sums[row][v]);
    }
  }
  UNROLL(16)
  for (int row = 0; row < kRows; ++row) {
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v)
      store(tile.c + row * tile.c_row_stride + v * kLanes, lanes[v], sums[row][v]);
  }
}

using AddProducts = void (*)(const LeftChunk& a, const EmulatedTile& tile);

template <int kVectors, int... kRowsMinusOne>
constexpr std::array<AddProducts, kEmulatedRows> emulated_tiles(
    std::integer_sequence<int, kRowsMinusOne...>) {
  return {add_products<kRowsMinusOne + 1, kVectors>...};
}

template <int kVectors>
constexpr std::array<AddProducts, kEmulatedRows> kEmulatedTiles =
    emulated_tiles<kVectors>(std::make_integer_sequence<int, kEmulatedRows>());

// The sums of `rows` rows, without the bias.
void multiply_rows(const Bf16Block& block, Index i, Index rows) {
  LeftChunk a;
  for (Index p = 0; p == 0 || p < block.depth; p += kChunk) {
    const Index depth = block.depth - p < kChunk ? block.depth - p : kChunk;
    unpack(block.a + i * block.a_row_stride + p, block.a_row_stride, rows, depth, a);
    for (Index j = 0; j < block.cols; j += kBf16PanelCols) {
      const Index cols = block.cols - j;
      const auto& tiles_of_width = cols > kLanes ? kEmulatedTiles<2> : kEmulatedTiles<1>;
      tiles_of_width[static_cast<std::size_t>(rows - 1)](
          a, {.depth = depth,
              .cols = cols,
              .b = block.b + j / kBf16PanelCols * block.b_panel_stride + p * kBf16PanelCols,
              .c = block.c + i * block.c_row_stride + j,
              .c_row_stride = block.c_row_stride,
              .accumulate = block.accumulate || p > 0});
    }
  }
}

using MultiplyRows = void (*)(const Bf16Block& block, Index i, Index rows);
constinit MultiplyRows volatile multiply_rows_in_mode = multiply_rows;

TARGET_AVX512 void add_bias(const Bf16Block& block, Index i, Index rows) {
  for (Index row = i; row < i + rows; ++row)
    for (Index j = 0; j < block.cols; j += kLanes) {
      const __mmask16 lanes = first_lanes(block.cols - j);
      float* c = block.c + row * block.c_row_stride + j;
      store(c, lanes, _mm512_add_ps(load(c, lanes), load(block.bias + j, lanes)));
    }
}

}  // namespace

void multiply_pairs_emulated(const Bf16Block& block) {
  for (Index i = 0; i < block.rows; i += kEmulatedRows) {
    const Index rows = block.rows - i < kEmulatedRows ? block.rows - i : kEmulatedRows;
    {
      const ZerosForSubnormals mode;
      multiply_rows_in_mode(block, i, rows);
    }
    if (block.bias) add_bias(block, i, rows);
  }
}

}  // namespace plainformer::avx512
#endif
