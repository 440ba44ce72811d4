// Products in half precision with AVX2, which emulates vdpbf16ps: a fused multiply-add in the mode that takes
// subnormal numbers for zeros rounds as each of the instruction's two steps.
#include "kernels/avx2_vector.h"
#include "kernels/zeros_for_subnormals.h"

#ifdef PLAINFORMER_X86

namespace plainformer::avx2 {
namespace {

constexpr int kRows = 4, kVectors = 2;

// sums += a b for kRows rows of a and kVectors vectors of columns. Each 32-bit lane of b holds a pair.
TARGET_AVX2 void add_products(Index depth, const Bf16* const a[kRows], const Bf16* b,
                              float (&to)[kRows][kVectors * kLanes]) {
  const __m256i upper = _mm256_set1_epi32(static_cast<int>(0xffff0000));
  __m256 sums[kRows][kVectors];
  UNROLL(4)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v) sums[i][v] = _mm256_loadu_ps(&to[i][v * kLanes]);
  }
  for (Index p = 0; p < depth; p += 2) {
    __m256 first[kVectors], second[kVectors];
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v) {
      const __m256i pairs =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + p * kBf16PanelCols + v * 2 * kLanes));
      first[v] = _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16));
      second[v] = _mm256_castsi256_ps(_mm256_and_si256(pairs, upper));
    }
    UNROLL(4)
    for (int i = 0; i < kRows; ++i) {
      std::int32_t pair;
      std::memcpy(&pair, a[i] + p, sizeof pair);
      const __m256i pairs = _mm256_set1_epi32(pair);
      const __m256 factor = _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16));
      const __m256 second_factor = _mm256_castsi256_ps(_mm256_and_si256(pairs, upper));
      UNROLL(2)
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] = _mm256_fmadd_ps(second_factor, second[v], sums[i][v]);
        sums[i][v] = _mm256_fmadd_ps(factor, first[v], sums[i][v]);
      }
    }
  }
  UNROLL(4)
  for (int i = 0; i < kRows; ++i) {
    UNROLL(2)
    for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(&to[i][v * kLanes], sums[i][v]);
  }
}

using AddProducts = void (*)(Index depth, const Bf16* const a[kRows], const Bf16* b,
                             float (&to)[kRows][kVectors * kLanes]);
constinit AddProducts volatile add_products_in_mode = add_products;

// Computes a tile of c: at most kRows rows, and kVectors vectors of columns. Rows of a beyond the last repeat it.
void multiply_tile(const Bf16Block& block, Index i, Index j) {
  constexpr Index width = kVectors * kLanes;
  const Index rows = block.rows - i < kRows ? block.rows - i : kRows;
  const Index cols = block.cols - j < width ? block.cols - j : width;
  const Bf16* a[kRows];
  for (Index row = 0; row < kRows; ++row)
    a[row] = block.a + (i + (row < rows ? row : rows - 1)) * block.a_row_stride;
  float sums[kRows][width] = {};
  float* c = block.c + i * block.c_row_stride + j;
  if (block.accumulate)
    for (Index row = 0; row < rows; ++row)
      for (Index v = 0; v < cols; ++v) sums[row][v] = c[row * block.c_row_stride + v];
  if (block.depth > 0) {  // else b may be null
    const ZerosForSubnormals mode;
    add_products_in_mode(block.depth, a,
                         block.b + j / kBf16PanelCols * block.b_panel_stride + j % kBf16PanelCols * 2, sums);
  }
  for (Index row = 0; row < rows; ++row)
    for (Index v = 0; v < cols; ++v)
      c[row * block.c_row_stride + v] = block.bias ? sums[row][v] + block.bias[j + v] : sums[row][v];
}

void multiply(const Bf16Block& block) {
  for (Index i = 0; i < block.rows; i += kRows)
    for (Index j = 0; j < block.cols; j += kVectors * kLanes) multiply_tile(block, i, j);
}

}  // namespace

constinit const Bf16Kernels kBf16Kernels = {
    .multiply = multiply,
    .pack_left = scalar::pack_left_bf16,
    .pack_left_transposed = scalar::pack_left_transposed_bf16,
    .pack_right = scalar::pack_right_bf16,
    .pack_right_transposed = scalar::pack_right_transposed_bf16,
};

}  // namespace plainformer::avx2
#endif
