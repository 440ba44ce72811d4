// Matrix products with NEON.
#include "kernels/neon_vector.h"

#ifdef PLAINFORMER_NEON
#include <array>
#include <utility>

namespace plainformer::neon {
namespace {

// A tile of kRows rows and kVectors vectors, whose sums stay in registers from the first p to the last.
// kFull says that all lanes of all vectors are in use. Addresses of rows are added up, not multiplied: that
// makes a shallow tile faster (docs/lab/design-notes.md).
template <int kRows, int kVectors, bool kFull>
void micro_kernel_of_size(const MicroTile& tile) {
  Index count[kVectors];
  for (int v = 0; v < kVectors; ++v) count[v] = kFull ? kLanes : tile.cols - v * kLanes;

  float32x4_t sums[kRows][kVectors];
  const Index c_row_stride = tile.c_row_stride;
  UNROLL(16)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(12)
    for (int v = 0; v < kVectors; ++v) sums[i][v] = vdupq_n_f32(0);
  }
  float* c = tile.c;
  if (tile.accumulate) {
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      UNROLL(12)
      for (int v = 0; v < kVectors; ++v) sums[i][v] = load(c + v * kLanes, count[v]);
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
  for (Index p = tile.depth; p > 0; --p) {
    float32x4_t b_row[kVectors];
    UNROLL(12)
    for (int v = 0; v < kVectors; ++v) b_row[v] = load(b + v * kLanes, count[v]);
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      const float32x4_t factor = vdupq_n_f32(a[i / 3][i % 3 * a_row_stride]);
      UNROLL(12)
      for (int v = 0; v < kVectors; ++v) sums[i][v] = vfmaq_f32(sums[i][v], factor, b_row[v]);
    }
    UNROLL(5)
    for (int t = 0; t < kTriples; ++t) a[t] += a_depth_stride;
    b += b_row_stride;
  }

  if (tile.bias) {
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      UNROLL(12)
      for (int v = 0; v < kVectors; ++v)
        sums[i][v] = vaddq_f32(sums[i][v], load(tile.bias + v * kLanes, count[v]));
    }
  }

  c = tile.c;
  UNROLL(16)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(12)
    for (int v = 0; v < kVectors; ++v) store(c + v * kLanes, count[v], sums[i][v]);
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

// Remainders: each number of rows has an instance of its own. A vector with missing columns is
// copied through a buffer at each step, and a vector without any column is not computed.
void micro_kernel(const MicroTile& tile) {
  if (tile.cols == kRowTileCols) return micro_kernel_of_size<1, kRowTileCols / kLanes, true>(tile);
  const MicroKernels* micro_kernels = &kMicroKernels<1, false>;
  if (tile.cols > kLanes) micro_kernels = &kMicroKernels<2, false>;
  if (tile.cols > 2 * kLanes) micro_kernels = &kMicroKernels<3, false>;
  if (tile.cols == kTileCols) micro_kernels = &kMicroKernels<3, true>;
  (*micro_kernels)[static_cast<std::size_t>(tile.rows - 1)](tile);
}

// This many rows are copied together, micro-panel by micro-panel, while the next ones are prefetched: most of
// them come from memory.
constexpr Index kPackRows = 8;

void pack(Index cols, Index depth, const float* from, Index from_row_stride, Index width, float* to) {
  for (Index top = 0; top < depth; top += kPackRows) {
    const Index bottom = depth - top < kPackRows ? depth : top + kPackRows;
    for (Index j = 0; j < cols; j += width) {
      const Index panel_cols = cols - j < width ? cols - j : width;
      for (Index p = top; p < bottom; ++p) {
        const float* row = from + p * from_row_stride + j;
        float* panel_row = to + j * depth + p * width;
        for (Index v = 0; v < panel_cols; v += kLanes) {
          prefetch(row + v + kPackRows * from_row_stride);
          store(panel_row + v, panel_cols - v, load(row + v, panel_cols - v));
        }
      }
    }
  }
}

namespace {

// Four rows of b^T become 4 columns of the micro-panel.
void pack_4_transposed(const float* const rows[4], Index depth, float* to) {
  for (Index p = 0; p < depth; p += 4) {
    const Index left = depth - p < 4 ? depth - p : 4;
    const float32x4_t row_0 = load(rows[0] + p, left), row_1 = load(rows[1] + p, left);
    const float32x4_t row_2 = load(rows[2] + p, left), row_3 = load(rows[3] + p, left);

    // Transpose the 4 x 4 block: pairs of single elements, then pairs of pairs.
    const float64x2_t even_01 = vreinterpretq_f64_f32(vtrn1q_f32(row_0, row_1));
    const float64x2_t odd_01 = vreinterpretq_f64_f32(vtrn2q_f32(row_0, row_1));
    const float64x2_t even_23 = vreinterpretq_f64_f32(vtrn1q_f32(row_2, row_3));
    const float64x2_t odd_23 = vreinterpretq_f64_f32(vtrn2q_f32(row_2, row_3));
    const float64x2_t columns[4] = {vtrn1q_f64(even_01, even_23), vtrn1q_f64(odd_01, odd_23),
                                    vtrn2q_f64(even_01, even_23), vtrn2q_f64(odd_01, odd_23)};
    for (Index t = 0; t < left; ++t) vst1q_f32(to + (p + t) * kTileCols, vreinterpretq_f32_f64(columns[t]));
  }
}

}  // namespace

// Remainder of the columns: the last one is repeated, and nobody reads the copies.
void pack_transposed(Index cols, Index depth, const float* from, Index from_row_stride, float* to) {
  for (Index j = 0; j < cols; j += kLanes) {
    const float* rows[kLanes];
    for (Index lane = 0; lane < kLanes; ++lane)
      rows[lane] = from + (j + lane < cols ? j + lane : cols - 1) * from_row_stride;
    pack_4_transposed(rows, depth, to + j);
  }
}

}  // namespace plainformer::neon
#endif
