// The micro-kernel of a matrix product, over the Vector of an instruction set. vector_sets.cpp includes
// this file once for each set, with SET as its namespace and TARGET_OF_SET as the attribute of its functions.
// So it has no guard.

namespace plainformer::SET {
namespace {

// --- a step of a sum ---

struct FloatProducts {
  TARGET_OF_SET static ALWAYS_INLINE Vector add(Vector a, Vector b, Vector sum) {
    return multiply_add(a, b, sum);
  }
};

// Each lane is a pair of bfloat16 (bf16.h), which are the upper halves of floats.
struct PairProducts {
  TARGET_OF_SET static ALWAYS_INLINE Vector first_of(Vector pairs) {
    return reinterpret_cast<Vector>(reinterpret_cast<Integers>(pairs) << 16);
  }
  TARGET_OF_SET static ALWAYS_INLINE Vector second_of(Vector pairs) {
    return reinterpret_cast<Vector>(reinterpret_cast<Integers>(pairs) & 0xffff0000u);
  }
  TARGET_OF_SET static ALWAYS_INLINE Vector add(Vector a, Vector b, Vector sum) {
    return multiply_add(first_of(a), first_of(b), multiply_add(second_of(a), second_of(b), sum));
  }
};

// --- a tile ---

// Rows of b are prefetched from the second-level cache this far ahead, some 100 cycles before their use. More
// would not help: rows a power of two apart compete for the same sets of the first-level cache. (Addresses
// beyond b do no harm: a prefetch never faults.)
constexpr Index kPrefetchRows = 8;

// Prefetches both cache lines of a row of two vectors.
ALWAYS_INLINE void prefetch_row(const float* row) {
  prefetch(row);
  prefetch(row + kLanes);
}

// A tile of kRows rows and kVectors vectors, whose sums stay in registers from the first p to the last.
// kFull says that all lanes of all vectors are in use. Addresses of rows are added up, not multiplied: that
// makes a shallow tile faster (docs/lab/design-notes.md).
template <typename Products, int kRows, int kVectors, bool kFull>
TARGET_OF_SET void micro_kernel_of_size(const MicroTile& tile) {
  Lanes lanes[kVectors];
  for (int v = 0; v < kVectors; ++v) lanes[v] = first_lanes(kFull ? kLanes : tile.cols - v * kLanes);

  Vector sums[kRows][kVectors];
  const Index c_row_stride = tile.c_row_stride;
  UNROLL(16)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(12)
    for (int v = 0; v < kVectors; ++v) sums[i][v] = Vector{};
  }
  float* c = tile.c;
  if (tile.accumulate) {
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      UNROLL(12)
      for (int v = 0; v < kVectors; ++v) sums[i][v] = load(c + v * kLanes, lanes[v]);
      c += c_row_stride;
    }
  } else if (kPrefetches) {
    // Prefetch c, so that the stores at the end find it in the cache.
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      prefetch_row(c);
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
    Vector b_row[kVectors];
    if (kPrefetches && kFull && kRows > 4) prefetch_row(b + kPrefetchRows * b_row_stride);
    UNROLL(12)
    for (int v = 0; v < kVectors; ++v)
      b_row[v] = kFull ? load(b + v * kLanes) : load(b + v * kLanes, lanes[v]);
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      const Vector factor = all_lanes(a[i / 3][i % 3 * a_row_stride]);
      UNROLL(12)
      for (int v = 0; v < kVectors; ++v) sums[i][v] = Products::add(factor, b_row[v], sums[i][v]);
    }
    if (kPrefetches && kFull && kRows > 8) {  // the units for loads have time left
      for (const float*& row : next_rows) prefetch(row++);
    }
    UNROLL(5)
    for (int t = 0; t < kTriples; ++t) a[t] += a_depth_stride;
    b += b_row_stride;
  }

  if (tile.bias) {
    UNROLL(16)
    for (int i = 0; i < kRows; ++i) {
      UNROLL(12)
      for (int v = 0; v < kVectors; ++v) sums[i][v] = sums[i][v] + load(tile.bias + v * kLanes, lanes[v]);
    }
  }

  c = tile.c;
  UNROLL(16)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(12)
    for (int v = 0; v < kVectors; ++v) store(c + v * kLanes, lanes[v], sums[i][v]);
    c += c_row_stride;
  }
}

// Adds kRows steps, from p on, to the sums of a single row.
template <typename Products, int kRows>
TARGET_OF_SET void add_strip(const MicroTile& tile, Index p) {
  constexpr int kVectors = kRowTileCols / kLanes;
  const Lanes all = first_lanes(kLanes);
  const Index a_depth_stride = tile.a_depth_stride, b_row_stride = tile.b_row_stride, cols = tile.cols;
  const float *strip_of_a = tile.a + p * a_depth_stride, *strip_of_b = tile.b + p * b_row_stride;
  const float* bias = p + kRows == tile.depth ? tile.bias : nullptr;
  float* c = tile.c;
  const bool goes_on = tile.accumulate || p > 0;
  for (Index j = 0; j < cols; j += kRowTileCols) {
    Vector sums[kVectors];
    UNROLL(16)
    for (int v = 0; v < kVectors; ++v) sums[v] = goes_on ? load(c + j + v * kLanes) : Vector{};
    const float *a = strip_of_a, *b = strip_of_b + j;
    UNROLL(8)
    for (int i = 0; i < kRows; ++i) {
      const Vector factor = all_lanes(*a);
      UNROLL(16)
      for (int v = 0; v < kVectors; ++v) sums[v] = Products::add(factor, load(b + v * kLanes), sums[v]);
      a += a_depth_stride;
      b += b_row_stride;
    }
    UNROLL(16)
    for (int v = 0; v < kVectors; ++v) {
      if (bias) sums[v] = sums[v] + load(bias + j + v * kLanes);
      store(c + j + v * kLanes, all, sums[v]);
    }
  }
}

// A single row needs each element of b once, so its speed is that of reading b. By strips of a few rows, b is
// read nearly in the order of memory, and the processor fetches it ahead. Down all rows, each step would be
// on a page of its own.
template <typename Products>
void micro_kernel_of_row(const MicroTile& tile) {
  constexpr int kStripRows = 8;
  Index p = 0;
  for (; p + kStripRows <= tile.depth; p += kStripRows) add_strip<Products, kStripRows>(tile, p);
  for (; p < tile.depth; ++p) add_strip<Products, 1>(tile, p);
}

// The instances for 1, 2, ... kTileRows rows.
using MicroKernel = void (*)(const MicroTile& tile);
using MicroKernels = std::array<MicroKernel, kTileRows>;

template <typename Products, int kVectors, bool kFull, int... kRowsMinusOne>
constexpr MicroKernels micro_kernels(std::integer_sequence<int, kRowsMinusOne...>) {
  return {micro_kernel_of_size<Products, kRowsMinusOne + 1, kVectors, kFull>...};
}

template <typename Products, int kVectors, bool kFull>
constexpr MicroKernels kMicroKernels =
    micro_kernels<Products, kVectors, kFull>(std::make_integer_sequence<int, kTileRows>());

// Remainders: each number of rows has an instance of its own. Lanes beyond the columns are left out, and a
// vector without any column is not computed.
template <typename Products>
void micro_kernel_of(const MicroTile& tile) {
  constexpr int kVectors = kTileCols / kLanes;
  if (tile.cols == kRowTileCols) return micro_kernel_of_size<Products, 1, kRowTileCols / kLanes, true>(tile);
  if (tile.cols > kTileCols) return micro_kernel_of_row<Products>(tile);
  const MicroKernels* instances = &kMicroKernels<Products, 1, false>;
  if (tile.cols > kLanes) instances = &kMicroKernels<Products, 2, false>;
  if (tile.cols > 2 * kLanes) instances = &kMicroKernels<Products, kVectors, false>;
  if (tile.cols == kTileCols) instances = &kMicroKernels<Products, kVectors, true>;
  (*instances)[static_cast<std::size_t>(tile.rows - 1)](tile);
}

}  // namespace
}  // namespace plainformer::SET
