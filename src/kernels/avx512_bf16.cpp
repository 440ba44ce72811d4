// Products in half precision with AVX512-BF16: vdpbf16ps multiplies and adds pairs, vcvtne2ps2bf16 rounds.
#include "kernels/avx512_vector.h"

#ifdef PLAINFORMER_X86
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace plainformer::avx512 {
namespace {

constexpr int kBf16TileRows = 14, kPairs = 16;  // a vector holds 16 pairs

TARGET_AVX512_BF16 ALWAYS_INLINE __m512i load_pairs(const Bf16* x) {
  return _mm512_loadu_si512(x);
}

// A tile of kRows rows and kVectors vectors, whose sums stay in registers.
template <int kRows, int kVectors>
TARGET_AVX512_BF16 void multiply_tile(const Bf16Block& block, Index i, Index j) {
  __mmask16 lanes[kVectors];
  for (int v = 0; v < kVectors; ++v) lanes[v] = first_lanes(block.cols - j - v * kLanes);
  float* c = block.c + i * block.c_row_stride + j;
  __m512 sums[kRows][kVectors];
  UNROLL(16)
  for (int row = 0; row < kRows; ++row) {
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v)
      sums[row][v] =
          block.accumulate ? load(c + row * block.c_row_stride + v * kLanes, lanes[v]) : _mm512_setzero_ps();
  }

  // Main loop, a pair at a step. Lanes of b beyond the columns are zeros.
  const Bf16* a = block.a + i * block.a_row_stride;
  const Bf16* b = block.b + j / kBf16PanelCols * block.b_panel_stride;
  for (Index p = 0; p < block.depth; p += 2) {
    __m512bh b_row[kVectors];
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v)
      b_row[v] = reinterpret_cast<__m512bh>(load_pairs(b + p * kBf16PanelCols + v * 2 * kLanes));
    UNROLL(16)
    for (int row = 0; row < kRows; ++row) {
      std::int32_t pair;
      std::memcpy(&pair, a + row * block.a_row_stride + p, sizeof pair);
      const auto factor = reinterpret_cast<__m512bh>(_mm512_set1_epi32(pair));
      UNROLL(2)
      for (int v = 0; v < kVectors; ++v) sums[row][v] = _mm512_dpbf16_ps(sums[row][v], factor, b_row[v]);
    }
  }

  UNROLL(16)
  for (int row = 0; row < kRows; ++row) {
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v) {
      if (block.bias) sums[row][v] = _mm512_add_ps(sums[row][v], load(block.bias + j + v * kLanes, lanes[v]));
      store(c + row * block.c_row_stride + v * kLanes, lanes[v], sums[row][v]);
    }
  }
}

using MultiplyTile = void (*)(const Bf16Block& block, Index i, Index j);

template <int kVectors, int... kRowsMinusOne>
constexpr std::array<MultiplyTile, kBf16TileRows> tiles(std::integer_sequence<int, kRowsMinusOne...>) {
  return {multiply_tile<kRowsMinusOne + 1, kVectors>...};
}

template <int kVectors>
constexpr std::array<MultiplyTile, kBf16TileRows> kTiles =
    tiles<kVectors>(std::make_integer_sequence<int, kBf16TileRows>());

}  // namespace

void multiply_pairs(const Bf16Block& block) {
  for (Index i = 0; i < block.rows; i += kBf16TileRows) {
    const Index rows = block.rows - i < kBf16TileRows ? block.rows - i : kBf16TileRows;
    for (Index j = 0; j < block.cols; j += kBf16PanelCols) {
      const auto& tiles_of_width = block.cols - j > kLanes ? kTiles<2> : kTiles<1>;
      tiles_of_width[static_cast<std::size_t>(rows - 1)](block, i, j);
    }
  }
}

namespace {

// Asks for the memory a few pieces later in this row. Packing reads a short piece of each of many rows, then the next
// pieces, which processors foresee badly. A prefetch beyond the matrix does nothing.
ALWAYS_INLINE void prefetch_ahead(const float* x) {
  constexpr Index kAhead = 128;
  _mm_prefetch(reinterpret_cast<const char*>(x + kAhead), _MM_HINT_T0);
}

// How floats become pairs: 32 floats side by side, or 16 floats and those below them.
struct ByInstruction {
  static TARGET_AVX512_BF16 ALWAYS_INLINE __m512i side_by_side(__m512 lower, __m512 upper) {
    return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(upper, lower));
  }
  static TARGET_AVX512_BF16 ALWAYS_INLINE __m512i one_below_the_other(__m512 first, __m512 second) {
    const __m512i interleaved = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8,
                                                 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    return _mm512_permutexvar_epi16(interleaved, side_by_side(first, second));
  }
};

// Integers give the same bits where the instruction is missing. (The functions below have its attribute in this form,
// too. No compiler uses the instruction by itself, because no type of the code is a bfloat16.)
struct ByIntegers {
  // The upper half of each lane is to_bf16(x).
  static TARGET_AVX512 ALWAYS_INLINE __m512i rounded(__m512 x) {
    const __m512i bits = _mm512_castps_si512(x);
    const __m512i last_bit = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i nearest = _mm512_add_epi32(bits, _mm512_add_epi32(last_bit, _mm512_set1_epi32(0x7fff)));
    const __m512i magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(0x7fffffff));
    const __mmask16 nan = _mm512_cmpgt_epu32_mask(magnitude, _mm512_set1_epi32(0x7f800000));
    const __mmask16 subnormal = _mm512_cmplt_epu32_mask(magnitude, _mm512_set1_epi32(0x00800000));
    const __m512i or_nan = _mm512_mask_or_epi32(nearest, nan, bits, _mm512_set1_epi32(0x00400000));
    return _mm512_mask_sub_epi32(or_nan, subnormal, bits, magnitude);  // the sign alone
  }
  static TARGET_AVX512 ALWAYS_INLINE __m512i side_by_side(__m512 lower, __m512 upper) {
    const __m512i upper_halves =
        _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 31, 29, 27, 25, 23,
                         21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    return _mm512_permutex2var_epi16(rounded(lower), upper_halves, rounded(upper));
  }
  static TARGET_AVX512 ALWAYS_INLINE __m512i one_below_the_other(__m512 first, __m512 second) {
    const __mmask32 upper_halves = 0xaaaaaaaa;
    return _mm512_mask_blend_epi16(upper_halves, _mm512_srli_epi32(rounded(first), 16), rounded(second));
  }
};

// Sixteen pairs: 32 neighbors of a row, as far as there are so many, rounded.
template <typename Rounding>
TARGET_AVX512_BF16 ALWAYS_INLINE __m512i pairs_along(const float* x, Index count) {
  prefetch_ahead(x);
  prefetch_ahead(x + kLanes);
  const __m512 lower = load(x, first_lanes(count < 0 ? 0 : count));
  const __m512 upper = count > kLanes ? load(x + kLanes, first_lanes(count - kLanes)) : _mm512_setzero_ps();
  return Rounding::side_by_side(lower, upper);
}

// Sixteen pairs: the neighbors of a row with those below them. The second row may be null, for zeros.
template <typename Rounding>
TARGET_AVX512_BF16 ALWAYS_INLINE __m512i pairs_down(const float* row, const float* next, __mmask16 lanes) {
  prefetch_ahead(row);
  if (next) prefetch_ahead(next);
  return Rounding::one_below_the_other(load(row, lanes), next ? load(next, lanes) : _mm512_setzero_ps());
}

// Rows of 16 pairs become columns: pairs of single ones, pairs of pairs, then halves and quarters.
TARGET_AVX512_BF16 ALWAYS_INLINE void transpose(__m512i (&x)[kPairs]) {
  __m512i y[kPairs];
  UNROLL(8)
  for (int i = 0; i < kPairs; i += 2) {
    y[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
    y[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
  }
  UNROLL(4)
  for (int i = 0; i < kPairs; i += 4) {
    x[i] = _mm512_unpacklo_epi64(y[i], y[i + 2]);
    x[i + 1] = _mm512_unpackhi_epi64(y[i], y[i + 2]);
    x[i + 2] = _mm512_unpacklo_epi64(y[i + 1], y[i + 3]);
    x[i + 3] = _mm512_unpackhi_epi64(y[i + 1], y[i + 3]);
  }
  UNROLL(4)
  for (int i = 0; i < 4; ++i) {
    y[i] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0x88);
    y[i + 4] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0xdd);
    y[i + 8] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0x88);
    y[i + 12] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0xdd);
  }
  UNROLL(4)
  for (int i = 0; i < 4; ++i) {
    x[i] = _mm512_shuffle_i32x4(y[i], y[i + 8], 0x88);
    x[i + 4] = _mm512_shuffle_i32x4(y[i + 4], y[i + 12], 0x88);
    x[i + 8] = _mm512_shuffle_i32x4(y[i], y[i + 8], 0xdd);
    x[i + 12] = _mm512_shuffle_i32x4(y[i + 4], y[i + 12], 0xdd);
  }
}

template <typename Rounding>
TARGET_AVX512_BF16 void pack_left(const Bf16Source& x, Bf16* to, Index to_row_stride) {
  for (Index i = 0; i < x.rows; ++i)
    for (Index p = 0; p < x.cols; p += 2 * kPairs)
      _mm512_storeu_si512(to + i * to_row_stride + p,
                          pairs_along<Rounding>(x.data + i * x.row_stride + p, x.cols - p));
}

// Packs blocks of 32 x 16 elements.
template <typename Rounding>
TARGET_AVX512_BF16 void pack_left_transposed(const Bf16Source& x, Bf16* to, Index to_row_stride) {
  for (Index p = 0; p < x.rows; p += 2 * kPairs)
    for (Index i = 0; i < x.cols; i += kLanes) {
      const __mmask16 lanes = first_lanes(x.cols - i);
      __m512i pairs[kPairs];
      UNROLL(16)
      for (Index q = 0; q < kPairs; ++q) {
        const float* row = x.data + (p + 2 * q) * x.row_stride + i;
        const Index left = x.rows - p - 2 * q;
        pairs[q] = left > 0 ? pairs_down<Rounding>(row, left > 1 ? row + x.row_stride : nullptr, lanes)
                            : _mm512_setzero_si512();
      }
      transpose(pairs);
      const Index rows = x.cols - i < kLanes ? x.cols - i : kLanes;
      for (Index row = 0; row < rows; ++row)
        _mm512_storeu_si512(to + (i + row) * to_row_stride + p, pairs[row]);
    }
}

template <typename Rounding>
TARGET_AVX512_BF16 void pack_right(const Bf16Source& x, Bf16* to) {
  const Index depth = bf16_depth(x.rows);
  constexpr Index kRowsTogether = 16;
  for (Index top = 0; top < depth; top += kRowsTogether)
    for (Index j = 0; j < x.cols; j += kBf16PanelCols)
      for (Index p = top; p < top + kRowsTogether; p += 2)
        for (Index v = 0; v < kBf16PanelCols; v += kLanes) {
          const float* row = x.data + p * x.row_stride + j + v;
          const __mmask16 lanes = first_lanes(x.cols - j - v < 0 ? 0 : x.cols - j - v);
          const __m512i pairs =
              p < x.rows ? pairs_down<Rounding>(row, p + 1 < x.rows ? row + x.row_stride : nullptr, lanes)
                         : _mm512_setzero_si512();
          _mm512_storeu_si512(to + j * depth + (p / 2 * kBf16PanelCols + v) * 2, pairs);
        }
}

// Packs blocks of 16 x 32 elements.
template <typename Rounding>
TARGET_AVX512_BF16 void pack_right_transposed(const Bf16Source& x, Bf16* to) {
  const Index depth = bf16_depth(x.cols);
  for (Index j = 0; j < (x.rows + kBf16PanelCols - 1) / kBf16PanelCols * kBf16PanelCols; j += kLanes)
    for (Index p = 0; p < depth; p += 2 * kPairs) {
      __m512i pairs[kPairs];
      UNROLL(16)
      for (Index row = 0; row < kPairs; ++row)
        pairs[row] = j + row < x.rows
                         ? pairs_along<Rounding>(x.data + (j + row) * x.row_stride + p, x.cols - p)
                         : _mm512_setzero_si512();
      transpose(pairs);
      Bf16* block = to + j / kBf16PanelCols * kBf16PanelCols * depth +
                    (p / 2 * kBf16PanelCols + j % kBf16PanelCols) * 2;
      for (Index q = 0; q < kPairs; ++q) _mm512_storeu_si512(block + q * 2 * kBf16PanelCols, pairs[q]);
    }
}

// --- the set avx512: with the instructions where they exist, else by the emulation ---

bool has_instructions() {
  static const bool has = CPU_SUPPORTS("avx512bf16");
  return has;
}

void multiply(const Bf16Block& block) {
  has_instructions() ? multiply_pairs(block) : multiply_pairs_emulated(block);
}

}  // namespace

void pack_left_bf16(const Bf16Source& x, Bf16* to, Index to_row_stride) {
  has_instructions() ? pack_left<ByInstruction>(x, to, to_row_stride)
                     : pack_left<ByIntegers>(x, to, to_row_stride);
}

void pack_left_transposed_bf16(const Bf16Source& x, Bf16* to, Index to_row_stride) {
  has_instructions() ? pack_left_transposed<ByInstruction>(x, to, to_row_stride)
                     : pack_left_transposed<ByIntegers>(x, to, to_row_stride);
}

void pack_right_bf16(const Bf16Source& x, Bf16* to) {
  has_instructions() ? pack_right<ByInstruction>(x, to) : pack_right<ByIntegers>(x, to);
}

void pack_right_transposed_bf16(const Bf16Source& x, Bf16* to) {
  has_instructions() ? pack_right_transposed<ByInstruction>(x, to) : pack_right_transposed<ByIntegers>(x, to);
}

constinit const Bf16Kernels kEmulatedBf16Kernels = {
    .multiply = multiply_pairs_emulated,
    .pack_left = pack_left<ByIntegers>,
    .pack_left_transposed = pack_left_transposed<ByIntegers>,
    .pack_right = pack_right<ByIntegers>,
    .pack_right_transposed = pack_right_transposed<ByIntegers>,
};

constinit const Bf16Kernels kBf16Kernels = {
    .multiply = multiply,
    .pack_left = pack_left_bf16,
    .pack_left_transposed = pack_left_transposed_bf16,
    .pack_right = pack_right_bf16,
    .pack_right_transposed = pack_right_transposed_bf16,
};

}  // namespace plainformer::avx512
#endif
