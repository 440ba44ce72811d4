#include "ops/fast/matmul_ladder.h"

#include <algorithm>
#include <vector>

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

constexpr Index kLocalSums = 64;

// All columns of this many rows of b are packed together, and stay in the second-level cache.
constexpr Index kLadderDepthBlock = 256;

// Rows `begin` to `end` of c. A micro-panel of b is as many columns as a tile is wide. Packed, its rows
// follow one another in memory, as the micro-kernel reads them.
void multiply_rows(Index n, const Real* a, const Real* b, Real* c, Index begin, Index end) {
  const Kernels& kernel_set = kernels();
  const Index width = kernel_set.tile_cols;
  std::vector<Real> packed_b(kLadderDepthBlock * ceil_divide(n, width) * width);
  MicroTile tile = {};
  tile.a_row_stride = n;
  tile.a_depth_stride = 1;
  tile.b_row_stride = width;
  tile.c_row_stride = n;

  for (Index p = 0; p < n; p += kLadderDepthBlock) {
    tile.depth = std::min(kLadderDepthBlock, n - p);
    tile.accumulate = p > 0;
    kernel_set.pack(n, tile.depth, b + p * n, n, width, packed_b.data());

    for (Index i = begin; i < end; i += kernel_set.tile_rows) {
      tile.rows = std::min(kernel_set.tile_rows, end - i);
      for (Index j = 0; j < n; j += width) {
        tile.cols = std::min(width, n - j);
        tile.a = a + i * n + p;
        tile.b = &packed_b[j * tile.depth];
        tile.c = c + i * n + j;
        kernel_set.micro_kernel(tile);
      }
    }
  }
}

}  // namespace

void multiply_naive(Index n, const Real* a, const Real* b, Real* c) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Real sum = 0;
      for (Index p = 0; p < n; ++p) sum += a[i * n + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
}

void multiply_by_rows(Index n, const Real* a, const Real* b, Real* c) {
  std::fill(c, c + n * n, Real{0});
  for (Index i = 0; i < n; ++i)
    for (Index p = 0; p < n; ++p) {
      const Real factor = a[i * n + p];
      for (Index j = 0; j < n; ++j) c[i * n + j] += factor * b[p * n + j];
    }
}

void multiply_with_local_sums(Index n, const Real* a, const Real* b, Real* c) {
  const Index whole = n / kLocalSums * kLocalSums;
  for (Index j = 0; j < whole; j += kLocalSums)
    for (Index i = 0; i < n; ++i) {
      Real sums[kLocalSums] = {};
      for (Index p = 0; p < n; ++p) {
        const Real factor = a[i * n + p];
        for (Index s = 0; s < kLocalSums; ++s) sums[s] += factor * b[p * n + j + s];
      }
      std::copy_n(sums, kLocalSums, c + i * n + j);
    }

  // The columns that are left, one sum at a time.
  for (Index i = 0; i < n; ++i)
    for (Index j = whole; j < n; ++j) {
      Real sum = 0;
      for (Index p = 0; p < n; ++p) sum += a[i * n + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
}

void multiply_simd(Index n, const Real* a, const Real* b, Real* c) {
  multiply_rows(n, a, b, c, 0, n);
}

void multiply_threaded(Index n, const Real* a, const Real* b, Real* c) {
  const Index height = kernels().tile_rows, tiles = ceil_divide(n, height);
  const Index share = std::max<Index>(1, ceil_divide(tiles, threads()));  // a thread's, in whole tiles
  parallel_for(tiles, share, [&](Index begin, Index end) {
    multiply_rows(n, a, b, c, begin * height, std::min(end * height, n));
  });
}

}  // namespace plainformer
