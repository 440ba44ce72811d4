#include "ops/fast/prepared_matrix.h"

#include <algorithm>

#include "core/check.h"
#include "core/thread_pool.h"
#include "ops/fast/tasks.h"
#include "ops/rows.h"

namespace plainformer {

PreparedMatrix::PreparedMatrix(const Tensor& x, Transpose transpose)
    : kernel_set_(&kernels()), precision_(product_precision) {
  CHECK(x.rank() == 2, "x: expected [rows, cols], got ", x.shape().to_string());
  const bool transposed = transpose == Transpose::kYes, in_bf16 = precision_ == Precision::kBf16;
  rows_ = x.dim(transposed ? 1 : 0);
  cols_ = x.dim(transposed ? 0 : 1);
  const Index depth = in_bf16 ? pairs(rows_) : rows_;
  packed_ = Tensor({packed_right_size(depth, cols_)});

  // Each thread packs some of the micro-panels.
  const Index width = kernel_set_->tile_cols, stored_cols = x.dim(1);
  const Index panels = ceil_divide(cols_, width);
  Real* packed = packed_.mutable_data();
  parallel_for(panels, fast::row_grain(rows_ * width), [&](Index begin, Index end) {
    const Index first = begin * width, count = std::min(end * width, cols_) - first;
    const MatrixView part = transposed ? MatrixView{x.data() + first * stored_cols, count, rows_, stored_cols}
                                       : MatrixView{x.data() + first, rows_, count, stored_cols};
    Real* to = packed + first * depth;
    if (in_bf16)
      pack_right_pairs(part, transpose, to);
    else if (transposed)
      pack_right_transposed(part, to);
    else
      pack_right(part, to);
  });
}

RightMicroPanels PreparedMatrix::micro_panels() const {
  CHECK(kernel_set_ == &kernels(), "packed for the kernels ", kernel_set_->name, ", used with ",
        kernels().name);
  const bool in_bf16 = precision_ == Precision::kBf16;
  const Index depth = in_bf16 ? pairs(rows_) : rows_, width = kernel_set_->tile_cols;
  return {packed_.data(), depth, cols_, depth * width, width, in_bf16};
}

Tensor PreparedMatrix::product(const Tensor& x, const Real* bias) const {
  CHECK(row_length(x) == rows_, x.shape().to_string(), " for weights of ", rows_, " rows");
  Tensor y(with_last(x.shape(), cols_));
  multiply(as_matrix(x), micro_panels(), y.mutable_data(), cols_, bias);
  return y;
}

Tensor prepared_linear_forward(const Tensor& x, const PreparedMatrix& w) {
  return w.product(x, nullptr);
}

Tensor prepared_linear_bias_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b) {
  const Index out = w.cols();
  CHECK_SHAPE(b.value, out);
  return w.product(x, b.value.data());
}

}  // namespace plainformer
