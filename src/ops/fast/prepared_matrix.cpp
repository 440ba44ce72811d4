#include "ops/fast/prepared_matrix.h"

#include <algorithm>

#include "core/check.h"
#include "core/thread_pool.h"
#include "ops/rows.h"

namespace plainformer {

PreparedMatrix::PreparedMatrix(const Tensor& x, Transpose transpose) : kernel_set_(&kernels()) {
  CHECK(x.rank() == 2, "x: expected [rows, cols], got ", x.shape().to_string());
  const bool transposed = transpose == Transpose::kYes;
  rows_ = x.dim(transposed ? 1 : 0);
  cols_ = x.dim(transposed ? 0 : 1);
  packed_ = Tensor({packed_right_size(rows_, cols_)});

  // Each thread packs some of the micro-panels.
  const Index width = kernel_set_->tile_cols, stored_cols = x.dim(1);
  const Index panels = ceil_divide(cols_, width);
  Real* packed = packed_.mutable_data();
  parallel_for(panels, row_grain(rows_ * width), [&](Index begin, Index end) {
    const Index first = begin * width, count = std::min(end * width, cols_) - first;
    Real* to = packed + first * rows_;
    if (transposed)
      pack_right_transposed(MatrixView{x.data() + first * stored_cols, count, rows_, stored_cols}, to);
    else
      pack_right(MatrixView{x.data() + first, rows_, count, stored_cols}, to);
  });
}

RightMicroPanels PreparedMatrix::micro_panels() const {
  CHECK(kernel_set_ == &kernels(), "packed for the kernels ", kernel_set_->name, ", used with ",
        kernels().name);
  return {packed_.data(), rows_, cols_, rows_ * kernel_set_->tile_cols, kernel_set_->tile_cols};
}

namespace {

Tensor product(const Tensor& x, const PreparedMatrix& w, const Real* bias) {
  CHECK(row_length(x) == w.rows(), x.shape().to_string(), " for weights of ", w.rows(), " rows");
  Tensor y(with_last(x.shape(), w.cols()));
  multiply(as_matrix(x), w.micro_panels(), y.mutable_data(), w.cols(), bias);
  return y;
}

}  // namespace

Tensor prepared_linear_forward(const Tensor& x, const PreparedMatrix& w) {
  return product(x, w, nullptr);
}

Tensor prepared_linear_bias_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b) {
  const Index out = w.cols();
  CHECK_SHAPE(b.value, out);
  return product(x, w, b.value.data());
}

}  // namespace plainformer
