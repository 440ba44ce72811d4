// Matrix products: c = a b, with either factor transposed.
#pragma once

#include "core/tensor.h"
#include "kernels/kernels.h"

namespace plainformer {

struct RightMicroPanels;  // macro_kernel.h

enum class Transpose { kNo, kYes };

// A read-only row-major matrix that need not be contiguous: `row_stride` elements from row to row.
struct MatrixView {
  const Real* data;
  Index rows, cols;  // as stored, before any transposition
  Index row_stride;
};

// A tensor with all its leading axes taken as rows.
MatrixView as_matrix(const Tensor& x);

// c (+)= op(a) op(b), then + bias, where op transposes or not. The products of whole matrices are computed
// here: in blocks, packed where that pays, by all threads. (Softmax attention calls macro_kernel itself.)
//   op(a) [m, k], op(b) [k, n], c [m, n] with c_row_stride; c may not overlap a or b
//   accumulate   add to c instead of overwriting it
//   bias         [n], added to the finished elements of every row; or null
// Each element is one chain of multiply-adds in the order of k: its bits depend only on its row of op(a) and
// its column of op(b), not on m, n, the number of threads or the position.
// The precision is that of ops/precision.h. In bfloat16 the chain is that of kernels/bf16.h.
void multiply(MatrixView a, Transpose transpose_a, MatrixView b, Transpose transpose_b, Real* c,
              Index c_row_stride, bool accumulate, const Real* bias = nullptr);

// c = a b, then + bias, with b packed already, by kernels(): the same bits.
//   a [m, k], b [k, n], c [m, n] with c_row_stride
void multiply(MatrixView a, const RightMicroPanels& b, Real* c, Index c_row_stride,
              const Real* bias = nullptr);

}  // namespace plainformer
