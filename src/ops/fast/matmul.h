// Matrix products: c = a b, with either factor transposed, or with a right factor that is packed once for
// many products.
#pragma once

#include "core/tensor.h"
#include "kernels/kernels.h"

namespace plainformer {

enum class Transpose { kNo, kYes };

// A read-only row-major matrix that need not be contiguous: `row_stride` elements from row to row.
struct MatrixView {
  const Real* data;
  Index rows, cols;  // as stored, before any transposition
  Index row_stride;
};

// A tensor with all its leading axes taken as rows.
MatrixView as_matrix(const Tensor& x);

// `count` neighboring rows or columns of x, from `first` on.
inline MatrixView rows_of(const MatrixView& x, Index first, Index count) {
  return {x.data + first * x.row_stride, count, x.cols, x.row_stride};
}
inline MatrixView columns_of(const MatrixView& x, Index first, Index count) {
  return {x.data + first, x.rows, count, x.row_stride};
}

// c (+)= op(a) op(b), then + bias, where op transposes or not. The products of whole matrices are computed
// here: in blocks, packed where that pays, by all threads. (Softmax attention calls macro_kernel itself.)
//   op(a) [m, k], op(b) [k, n], c [m, n] without gaps between its rows; c may not overlap a or b
//   accumulate   add to c instead of overwriting it
//   bias         [n], added to the finished elements of every row; or null
// Each element is one chain of multiply-adds in the order of k: its bits depend only on its row of op(a) and
// its column of op(b), not on m, n, the number of threads or the position.
// The precision is product_precision (ops/ways.h). In bfloat16 the chain is that of kernels/bf16.h.
void multiply(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Real* c,
              bool accumulate, const Real* bias = nullptr);

// A packed copy of op(x), where op transposes or not, in the precision in use: x is not needed afterwards. A
// decoder's weights are packed once, because every step multiplies them by a few rows.
class PreparedMatrix {
 public:
  explicit PreparedMatrix(const Tensor& x, Transpose transpose = Transpose::kNo);  // x [rows, cols]

  // y = x W, then + bias or null, with the bits of linear_forward and linear_bias_forward with that W.
  // std::logic_error if the kernels have been changed since.
  //   x [..., in], bias [out] -> y [..., out]
  Tensor product(const Tensor& x, const Real* bias = nullptr) const;

 private:
  const Kernels* kernel_set_;
  bool in_pairs_;      // pairs of bfloat16 numbers
  Index rows_, cols_;  // the shape of op(x)
  Tensor packed_;
};

}  // namespace plainformer
