// The packing of factors of a matrix product, over the Vector of an instruction set: see vector_tile.h.

namespace plainformer::SET {
namespace {

// This many rows are copied together, micro-panel by micro-panel, while the next ones are prefetched: most of
// them come from memory.
constexpr Index kPackRows = 8;

TARGET_OF_SET void pack(Index cols, Index depth, const float* from, Index from_row_stride, Index width,
                        float* to) {
  for (Index top = 0; top < depth; top += kPackRows) {
    const Index bottom = depth - top < kPackRows ? depth : top + kPackRows;
    for (Index j = 0; j < cols; j += width) {
      const Index panel_cols = cols - j < width ? cols - j : width;
      for (Index p = top; p < bottom; ++p) {
        const float* row = from + p * from_row_stride + j;
        float* panel_row = to + j * depth + p * width;
        for (Index v = 0; v < panel_cols; v += kLanes) {
          const Lanes lanes = first_lanes(panel_cols - v);
          prefetch(row + v + kPackRows * from_row_stride);
          store(panel_row + v, lanes, load(row + v, lanes));
        }
      }
    }
  }
}

// kLanes rows of b^T become kLanes columns of the micro-panel.
TARGET_OF_SET void pack_rows_transposed(const float* const rows[kLanes], Index depth, float* to) {
  for (Index p = 0; p < depth; p += 4) {
    const Index left = depth - p < 4 ? depth - p : 4;
    Vector fours[4] = {load_fours(rows, 0, p, left), load_fours(rows, 1, p, left),
                       load_fours(rows, 2, p, left), load_fours(rows, 3, p, left)};
    transpose_fours(fours);
    for (Index t = 0; t < left; ++t) store(to + (p + t) * kTileCols, first_lanes(kLanes), fours[t]);
  }
}

// Remainder of the columns: the last one is repeated, and the copies are never read.
void pack_transposed(Index cols, Index depth, const float* from, Index from_row_stride, float* to) {
  for (Index j = 0; j < cols; j += kLanes) {
    const float* rows[kLanes];
    for (Index lane = 0; lane < kLanes; ++lane)
      rows[lane] = from + (j + lane < cols ? j + lane : cols - 1) * from_row_stride;
    pack_rows_transposed(rows, depth, to + j);
  }
}

}  // namespace
}  // namespace plainformer::SET
