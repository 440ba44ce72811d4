#include "ops/matmul.h"

#include <algorithm>
#include <vector>

#include "core/check.h"

namespace plainformer {
namespace {

constexpr Index kDepthBlock = 256;  // of the sum, so that a packed panel of b stays in the first-level cache

Index op_rows(const MatrixView& matrix, Transpose transpose) {
  return transpose == Transpose::kNo ? matrix.rows : matrix.cols;
}

Index op_cols(const MatrixView& matrix, Transpose transpose) {
  return transpose == Transpose::kNo ? matrix.cols : matrix.rows;
}

// One panel of op(b): rows p .. p + depth - 1, columns j .. j + cols - 1, to `panel[depth][tile_cols]`.
void pack_panel(const Kernels& table, const MatrixView& b, Transpose transpose, Index p, Index depth, Index j,
                Index cols, Real* panel) {
  if (transpose == Transpose::kYes)
    return table.pack_transposed(cols, depth, b.data + j * b.row_stride + p, b.row_stride, panel);
  table.pack(cols, depth, b.data + p * b.row_stride + j, b.row_stride, panel);
}

// All leading axes as rows.
MatrixView as_matrix(const Tensor& tensor) {
  const Index cols = tensor.dim(-1);
  return {tensor.data(), cols == 0 ? 0 : tensor.size() / cols, cols, cols};
}

Shape product_shape(const Tensor& a, Transpose transpose_a, Index m, Index n) {
  if (transpose_a == Transpose::kNo && a.rank() == 3) return {a.dim(0), a.dim(1), n};
  if (transpose_a == Transpose::kNo && a.rank() == 4) return {a.dim(0), a.dim(1), a.dim(2), n};
  return {m, n};
}

}  // namespace

void multiply(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Real* c,
              Index c_row_stride, bool accumulate, const Epilogue* epilogue) {
  const Index m = op_rows(a, transpose_a), k = op_cols(a, transpose_a), n = op_cols(b, transpose_b);
  CHECK(op_rows(b, transpose_b) == k, "inner extents ", k, " and ", op_rows(b, transpose_b));
  Epilogue without_addend;
  if (epilogue && epilogue->addend == c) {
    // An addend that is c itself must be read before the first partial sums overwrite it: the chains start
    // from it.
    CHECK(!accumulate, "an addend that is c itself already accumulates");
    without_addend = *epilogue;
    without_addend.addend = nullptr;
    epilogue = &without_addend;
    accumulate = true;
  }
  const Kernels& table = kernels();
  const Index a_row_stride = transpose_a == Transpose::kNo ? a.row_stride : 1;
  const Index a_depth_stride = transpose_a == Transpose::kNo ? 1 : a.row_stride;
  std::vector<Real> panel(static_cast<std::size_t>(kDepthBlock * table.tile_cols));

  for (Index p = 0; p == 0 || p < k; p += kDepthBlock) {
    const Index depth = std::min(kDepthBlock, k - p);
    for (Index j = 0; j < n; j += table.tile_cols) {
      const Index cols = std::min(table.tile_cols, n - j);
      pack_panel(table, b, transpose_b, p, depth, j, cols, panel.data());
      for (Index i = 0; i < m; i += table.tile_rows) {
        Epilogue here;
        const bool last = p + depth == k;
        if (epilogue && last) {
          here = *epilogue;
          if (here.bias) here.bias += j;
          if (here.addend) here.addend += i * c_row_stride + j;
        }
        table.multiply_tile({std::min(table.tile_rows, m - i), cols, depth,
                             a.data + i * a_row_stride + p * a_depth_stride, a_row_stride, a_depth_stride,
                             panel.data(), table.tile_cols, c + i * c_row_stride + j, c_row_stride,
                             accumulate || p > 0, epilogue && last ? &here : nullptr});
      }
    }
  }
}

Tensor matmul(const Tensor& a, Transpose transpose_a, const Tensor& b, Transpose transpose_b) {
  CHECK(b.rank() == 2, "b: expected [rows, cols], got ", b.shape().to_string());
  const MatrixView a_view = as_matrix(a), b_view = as_matrix(b);
  const Index m = op_rows(a_view, transpose_a), n = op_cols(b_view, transpose_b);
  Tensor c(product_shape(a, transpose_a, m, n));
  multiply(a_view, transpose_a, b_view, transpose_b, c.mutable_data(), n, false);
  return c;
}

void matmul_accumulate(const Tensor& a, Transpose transpose_a, const Tensor& b, Transpose transpose_b,
                       Tensor& c) {
  const MatrixView a_view = as_matrix(a), b_view = as_matrix(b);
  const Index rows = op_rows(a_view, transpose_a), cols = op_cols(b_view, transpose_b);
  CHECK_SHAPE(c, rows, cols);
  multiply(a_view, transpose_a, b_view, transpose_b, c.mutable_data(), cols, true);
}

}  // namespace plainformer
