// Matrix products in plain loops: the definition of correct.
#include "kernels/instruction_sets.h"

namespace plainformer::scalar {

void micro_kernel(const MicroTile& tile) {
  for (Index i = 0; i < tile.rows; ++i) {
    Real* c = tile.c + i * tile.c_row_stride;
    Real sums[kRowTileCols] = {};
    if (tile.accumulate)
      for (Index j = 0; j < tile.cols; ++j) sums[j] = c[j];

    // One row of c: each element of a's row times a row of b.
    for (Index p = 0; p < tile.depth; ++p) {
      const Real factor = tile.a[i * tile.a_row_stride + p * tile.a_depth_stride];
      const Real* b = tile.b + p * tile.b_row_stride;
      for (Index j = 0; j < tile.cols; ++j) sums[j] += factor * b[j];
    }

    if (tile.bias)
      for (Index j = 0; j < tile.cols; ++j) sums[j] += tile.bias[j];
    for (Index j = 0; j < tile.cols; ++j) c[j] = sums[j];
  }
}

void pack(Index cols, Index depth, const Real* from, Index from_row_stride, Index width, Real* to) {
  for (Index p = 0; p < depth; ++p)
    for (Index j = 0; j < cols; ++j)
      to[j / width * depth * width + p * width + j % width] = from[p * from_row_stride + j];
}

void pack_transposed(Index cols, Index depth, const Real* from, Index from_row_stride, Real* to) {
  for (Index p = 0; p < depth; ++p)
    for (Index j = 0; j < cols; ++j) to[p * kTileCols + j] = from[j * from_row_stride + p];
}

}  // namespace plainformer::scalar
