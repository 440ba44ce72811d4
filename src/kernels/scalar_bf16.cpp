// Products in half precision in plain loops: the definition of correct, and the emulation for sets of kernels
// without an instruction of their own.
#include <cmath>

#include "kernels/instruction_sets.h"

namespace plainformer::scalar {
namespace {

float without_subnormal(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

// fma(a, b, sum), rounded to float once. In double the product of two bfloat16 is exact, and its sum with a
// float may be rounded to double before it is rounded to float: 53 >= 2 * 24 + 2 bits (Figueroa 1995). The
// result is subnormal if it is smaller than 2^-126 after its fraction is rounded to 24 bits.
float multiply_add(float a, float b, float sum) {
  const double exact = double(without_subnormal(a)) * double(without_subnormal(b)) + double(sum);
  const float rounded = static_cast<float>(exact);
  return std::fabs(exact) < 0x1p-126 * (1 - 0x1p-25) ? std::copysign(0.0f, rounded) : rounded;
}

// One row of c in one micro-panel, in the order of pairs.
void multiply_row(Index depth, const Bf16* a, const Bf16* b, float sums[kBf16PanelCols]) {
  for (Index p = 0; p < depth; p += 2) {
    const float first = from_bf16(a[p]), second = from_bf16(a[p + 1]);
    const Bf16* pairs = b + p * kBf16PanelCols;
    for (Index j = 0; j < kBf16PanelCols; ++j) {
      const float sum = multiply_add(second, from_bf16(pairs[2 * j + 1]), without_subnormal(sums[j]));
      sums[j] = multiply_add(first, from_bf16(pairs[2 * j]), sum);
    }
  }
}

void multiply(const Bf16Block& block) {
  for (Index i = 0; i < block.rows; ++i)
    for (Index j = 0; j < block.cols; j += kBf16PanelCols) {
      const Index cols = block.cols - j < kBf16PanelCols ? block.cols - j : kBf16PanelCols;
      Real* c = block.c + i * block.c_row_stride + j;
      float sums[kBf16PanelCols] = {};
      if (block.accumulate)
        for (Index v = 0; v < cols; ++v) sums[v] = static_cast<float>(c[v]);
      multiply_row(block.depth, block.a + i * block.a_row_stride,
                   block.b + j / kBf16PanelCols * block.b_panel_stride, sums);
      for (Index v = 0; v < cols; ++v) c[v] = block.bias ? Real{sums[v]} + block.bias[j + v] : Real{sums[v]};
    }
}

}  // namespace

void pack_left_bf16(const Bf16Source& x, Bf16* to, Index to_row_stride) {
  for (Index i = 0; i < x.rows; ++i) {
    const Real* from = x.data + i * x.row_stride;
    Bf16* row = to + i * to_row_stride;
    for (Index p = 0; p < x.cols; ++p) row[p] = to_bf16(from[p]);
    for (Index p = x.cols; p < bf16_depth(x.cols); ++p) row[p] = 0;
  }
}

void pack_left_transposed_bf16(const Bf16Source& x, Bf16* to, Index to_row_stride) {
  for (Index p = 0; p < bf16_depth(x.rows); ++p)
    for (Index i = 0; i < x.cols; ++i)
      to[i * to_row_stride + p] = p < x.rows ? to_bf16(x.data[p * x.row_stride + i]) : Bf16{0};
}

namespace {

// The place of element (p, j) of a right factor.
Index place_in_panels(Index depth, Index p, Index j) {
  constexpr Index width = kBf16PanelCols;
  return j / width * width * depth + (p / 2 * width + j % width) * 2 + p % 2;
}

Index whole_panels(Index cols) {
  return (cols + kBf16PanelCols - 1) / kBf16PanelCols * kBf16PanelCols;
}

}  // namespace

void pack_right_bf16(const Bf16Source& x, Bf16* to) {
  const Index depth = bf16_depth(x.rows);
  for (Index p = 0; p < depth; ++p)
    for (Index j = 0; j < whole_panels(x.cols); ++j)
      to[place_in_panels(depth, p, j)] =
          p < x.rows && j < x.cols ? to_bf16(x.data[p * x.row_stride + j]) : Bf16{0};
}

void pack_right_transposed_bf16(const Bf16Source& x, Bf16* to) {
  const Index depth = bf16_depth(x.cols);
  for (Index j = 0; j < whole_panels(x.rows); ++j)
    for (Index p = 0; p < depth; ++p)
      to[place_in_panels(depth, p, j)] =
          p < x.cols && j < x.rows ? to_bf16(x.data[j * x.row_stride + p]) : Bf16{0};
}

constinit const Bf16Kernels kBf16Kernels = {
    .multiply = multiply,
    .pack_left = pack_left_bf16,
    .pack_left_transposed = pack_left_transposed_bf16,
    .pack_right = pack_right_bf16,
    .pack_right_transposed = pack_right_transposed_bf16,
};

}  // namespace plainformer::scalar
