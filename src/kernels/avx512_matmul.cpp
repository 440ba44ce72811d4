// Matrix products with AVX-512.
#include "kernels/avx512_vector.h"

#ifdef PLAINFORMER_X86
#include <array>
#include <utility>

namespace plainformer::avx512 {
namespace {

// Rows of b are prefetched from the second-level cache this far ahead, some 100 cycles before their use. More
// would not help: rows a power of two apart compete for the same places of the first-level cache. (Addresses
// beyond b do no harm: a prefetch never faults.)
constexpr Index kPrefetchRows = 8;

// Prefetches both cache lines of a row of kTileCols floats.
TARGET_AVX512 ALWAYS_INLINE void prefetch(const float* row) {
  _mm_prefetch(reinterpret_cast<const char*>(row), _MM_HINT_T0);
  _mm_prefetch(reinterpret_cast<const char*>(row + kLanes), _MM_HINT_T0);
}

// A tile of kRows rows and kVectors vectors, whose sums stay in registers from the first p to the last.
// kFull says that all lanes of all vectors are in use. Addresses of rows are added up, not multiplied: that
// makes a shallow tile faster (docs/lab/design-notes.md).
template <int kRows, int kVectors, bool kFull>
TARGET_AVX512 void micro_kernel_of_size(const MicroTile& tile) {
  __mmask16 lanes[kVectors];
  for (int v = 0; v < kVectors; ++v)
    lanes[v] = kFull ? static_cast<__mmask16>(0xffff) : first_lanes(tile.cols - v * kLanes);

  __m512 sums[kRows][kVectors];
  const Index c_row_stride = tile.c_row_stride;
  UNROLL(16)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(8)
    for (int v = 0; v < kVectors; ++v) sums[i][v] = _mm512_setzero_ps();
  }
  float* c = tile.c;
  if (tile.accumulate) {
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      UNROLL(8)
      for (int v = 0; v < kVectors; ++v) sums[i][v] = load(c + v * kLanes, lanes[v]);
      c += c_row_stride;
    }
  } else {
    // Prefetch c, so that the stores at the end find it in the cache.
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      prefetch(c);
      c += c_row_stride;
    }
  }

  // A pointer for every three rows of a: with the stride, once and twice, it reaches them all.
  constexpr int kTriples = (kRows + 2) / 3;
  const float* a[kTriples];
  const Index a_row_stride = tile.a_row_stride;
  a[0] = tile.a;
  for (int t = 1; t < kTriples; ++t) a[t] = a[t - 1] + 3 * a_row_stride;

  // Main loop, one p at a step: row p of b times each element of column p of a.
  const float* b = tile.b;
  const Index a_depth_stride = tile.a_depth_stride, b_row_stride = tile.b_row_stride;
  const float* next_rows[2];
  for (int i = 0; i < 2; ++i) next_rows[i] = tile.next_rows[i] ? tile.next_rows[i] : tile.a;
  for (Index p = tile.depth; p > 0; --p) {
    __m512 b_row[kVectors];
    if (kFull && kRows > 4) prefetch(b + kPrefetchRows * b_row_stride);
    UNROLL(8)
    for (int v = 0; v < kVectors; ++v)
      b_row[v] = kFull ? _mm512_loadu_ps(b + v * kLanes) : load(b + v * kLanes, lanes[v]);
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      const __m512 factor = _mm512_set1_ps(a[i / 3][i % 3 * a_row_stride]);
      UNROLL(8)
      for (int v = 0; v < kVectors; ++v) sums[i][v] = _mm512_fmadd_ps(factor, b_row[v], sums[i][v]);
    }
    if (kFull && kRows > 8) {  // the units for loads have time left
      for (const float*& row : next_rows) _mm_prefetch(reinterpret_cast<const char*>(row++), _MM_HINT_T0);
    }
    UNROLL(5)
    for (int t = 0; t < kTriples; ++t) a[t] += a_depth_stride;
    b += b_row_stride;
  }

  if (tile.bias) {
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      UNROLL(8)
      for (int v = 0; v < kVectors; ++v)
        sums[i][v] = _mm512_add_ps(sums[i][v], load(tile.bias + v * kLanes, lanes[v]));
    }
  }

  c = tile.c;
  UNROLL(16)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(8)
    for (int v = 0; v < kVectors; ++v) store(c + v * kLanes, lanes[v], sums[i][v]);
    c += c_row_stride;
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

// Remainders: each number of rows has an instance of its own. Missing columns are masked off, and a vector
// without any column is not computed.
void micro_kernel(const MicroTile& tile) {
  if (tile.cols == kRowTileCols) return micro_kernel_of_size<1, kRowTileCols / kLanes, true>(tile);
  const MicroKernels* micro_kernels = &kMicroKernels<1, false>;
  if (tile.cols > kLanes) micro_kernels = &kMicroKernels<2, false>;
  if (tile.cols == kTileCols) micro_kernels = &kMicroKernels<2, true>;
  (*micro_kernels)[static_cast<std::size_t>(tile.rows - 1)](tile);
}

// This many rows are copied together, micro-panel by micro-panel, while the next ones are prefetched: most of
// them come from memory.
constexpr Index kPackRows = 8;

TARGET_AVX512 void pack(Index cols, Index depth, const float* from, Index from_row_stride, Index width,
                        float* to) {
  for (Index top = 0; top < depth; top += kPackRows) {
    const Index bottom = depth - top < kPackRows ? depth : top + kPackRows;
    for (Index j = 0; j < cols; j += width) {
      const Index panel_cols = cols - j < width ? cols - j : width;
      for (Index p = top; p < bottom; ++p) {
        const float* row = from + p * from_row_stride + j;
        float* panel_row = to + j * depth + p * width;
        for (Index v = 0; v < panel_cols; v += kLanes) {
          const __mmask16 lanes = first_lanes(panel_cols - v);
          _mm_prefetch(reinterpret_cast<const char*>(row + v + kPackRows * from_row_stride), _MM_HINT_T0);
          store(panel_row + v, lanes, load(row + v, lanes));
        }
      }
    }
  }
}

namespace {

// Four elements from each of the rows j, j + 4, j + 8 and j + 12, or fewer where `valid` masks them off.
TARGET_AVX512 ALWAYS_INLINE __m512 load_quarters(const float* const rows[16], int j, Index p,
                                                 __mmask8 valid) {
  __m512 quarters = _mm512_castps128_ps512(_mm_maskz_loadu_ps(valid, rows[j] + p));
  quarters = _mm512_insertf32x4(quarters, _mm_maskz_loadu_ps(valid, rows[j + 4] + p), 1);
  quarters = _mm512_insertf32x4(quarters, _mm_maskz_loadu_ps(valid, rows[j + 8] + p), 2);
  return _mm512_insertf32x4(quarters, _mm_maskz_loadu_ps(valid, rows[j + 12] + p), 3);
}

// Sixteen rows of b^T become 16 columns of the micro-panel.
TARGET_AVX512 void pack_16_transposed(const float* const rows[16], Index depth, float* to) {
  for (Index p = 0; p < depth; p += 4) {
    const Index left = depth - p < 4 ? depth - p : 4;
    const auto valid = static_cast<__mmask8>((1 << left) - 1);
    const __m512 row_0 = load_quarters(rows, 0, p, valid), row_1 = load_quarters(rows, 1, p, valid);
    const __m512 row_2 = load_quarters(rows, 2, p, valid), row_3 = load_quarters(rows, 3, p, valid);

    // Transpose the 4 x 4 blocks: pairs of single elements, then pairs of pairs.
    const __m512 low_01 = _mm512_unpacklo_ps(row_0, row_1), high_01 = _mm512_unpackhi_ps(row_0, row_1);
    const __m512 low_23 = _mm512_unpacklo_ps(row_2, row_3), high_23 = _mm512_unpackhi_ps(row_2, row_3);
    const __m512 columns[4] = {
        _mm512_shuffle_ps(low_01, low_23, 0x44), _mm512_shuffle_ps(low_01, low_23, 0xee),
        _mm512_shuffle_ps(high_01, high_23, 0x44), _mm512_shuffle_ps(high_01, high_23, 0xee)};
    for (Index t = 0; t < left; ++t) _mm512_storeu_ps(to + (p + t) * kTileCols, columns[t]);
  }
}

}  // namespace

// Remainder of the columns: the last one is repeated, and nobody reads the copies.
void pack_transposed(Index cols, Index depth, const float* from, Index from_row_stride, float* to) {
  for (Index j = 0; j < cols; j += kLanes) {
    const float* rows[kLanes];
    for (Index lane = 0; lane < kLanes; ++lane)
      rows[lane] = from + (j + lane < cols ? j + lane : cols - 1) * from_row_stride;
    pack_16_transposed(rows, depth, to + j);
  }
}

}  // namespace plainformer::avx512
#endif
