#include "ops/fast/matmul_ladder.h"

#include <algorithm>
#include <vector>

#include "core/thread_pool.h"
#include "kernels/kernels.h"

namespace plainformer {

namespace {

// A block of b: 256 x 256 floats take 256 KB and fit into a second-level cache.
constexpr Index kBlock = 256;

Index ceil_divide(Index x, Index y) {
  return (x + y - 1) / y;
}

// Computes rows `begin` to `end` of c with the tiles of `table`. A panel has as many columns of b as a tile
// is wide. In packed b, the elements that a tile reads at step p + 1 lie directly after those of step p.
void multiply_rows(const Kernels& table, Index n, const Real* a, const Real* b, Real* c, Index begin,
                   Index end) {
  const Index width = table.tile_cols;
  std::vector<Real> b_block(kBlock * ceil_divide(n, width) * width);
  Tile tile = {};
  tile.a_row_stride = n;
  tile.a_depth_stride = 1;
  tile.b_row_stride = width;
  tile.c_row_stride = n;

  for (Index p = 0; p < n; p += kBlock) {
    tile.depth = std::min(kBlock, n - p);
    tile.accumulate = p > 0;
    table.pack(n, tile.depth, b + p * n, n, width, b_block.data());

    for (Index i = begin; i < end; i += table.tile_rows) {
      tile.rows = std::min(table.tile_rows, end - i);
      for (Index j = 0; j < n; j += width) {
        tile.cols = std::min(width, n - j);
        tile.a = a + i * n + p;
        tile.b = &b_block[j * tile.depth];
        tile.c = c + i * n + j;
        table.multiply_tile(tile);
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

void multiply_blocked(Index n, const Real* a, const Real* b, Real* c) {
  std::fill(c, c + n * n, Real{0});
  for (Index p_block = 0; p_block < n; p_block += kBlock)
    for (Index j_block = 0; j_block < n; j_block += kBlock) {
      const Index p_end = std::min(p_block + kBlock, n), j_end = std::min(j_block + kBlock, n);
      for (Index i = 0; i < n; ++i)
        for (Index p = p_block; p < p_end; ++p) {
          const Real factor = a[i * n + p];
          for (Index j = j_block; j < j_end; ++j) c[i * n + j] += factor * b[p * n + j];
        }
    }
}

void multiply_packed(Index n, const Real* a, const Real* b, Real* c) {
  multiply_rows(find_kernels("scalar"), n, a, b, c, 0, n);
}

void multiply_simd(Index n, const Real* a, const Real* b, Real* c) {
  multiply_rows(kernels(), n, a, b, c, 0, n);
}

void multiply_threaded(Index n, const Real* a, const Real* b, Real* c) {
  const Index tiles = ceil_divide(n, kernels().tile_rows);
  const Index rows = ceil_divide(tiles, threads()) * kernels().tile_rows;  // a thread's share, in whole tiles
  parallel_for(ceil_divide(n, rows), 1, [&](Index begin, Index end) {
    multiply_rows(kernels(), n, a, b, c, begin * rows, std::min(end * rows, n));
  });
}

}  // namespace plainformer
