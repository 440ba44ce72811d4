// Products of whole tensors, for tests that need one: c = a b, with either factor transposed.
#pragma once

#include "core/check.h"
#include "ops/fast/matmul.h"
#include "ops/rows.h"

namespace plainformer {

// b has rank 2. Leading axes of a are rows, which c keeps if a is not transposed: [batch, len, k] times
// [k, n] gives [batch, len, n].
inline Tensor matmul(const Tensor& a, Transpose transpose_a, const Tensor& b, Transpose transpose_b) {
  CHECK(b.rank() == 2, "b: expected [rows, cols], got ", b.shape().to_string());
  const MatrixView a_view = as_matrix(a), b_view = as_matrix(b);
  const Index n = transpose_b == Transpose::kNo ? b_view.cols : b_view.rows;
  Tensor c(transpose_a == Transpose::kNo ? with_last(a.shape(), n) : Shape{a_view.cols, n});
  multiply(a_view, transpose_a, b_view, transpose_b, c.mutable_data(), /*accumulate=*/false);
  return c;
}

// x [rows, cols] -> [cols, rows]
inline Tensor transposed(const Tensor& x) {
  Tensor y({x.dim(1), x.dim(0)});
  Real* to = y.mutable_data();
  for (Index j = 0; j < x.dim(1); ++j)
    for (Index i = 0; i < x.dim(0); ++i) *to++ = x(i, j);
  return y;
}

}  // namespace plainformer
