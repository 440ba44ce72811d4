#include "ops/fast/prepared_matrix.h"

#include <algorithm>

#include "core/thread_pool.h"
#include "ops/rows.h"

namespace plainformer {

PreparedMatrix::PreparedMatrix(const Tensor& x, Transpose transpose) : table_(&kernels()) {
  CHECK(x.rank() == 2, "x: expected [rows, cols], got ", x.shape().to_string());
  const bool transposed = transpose == Transpose::kYes;
  rows_ = x.dim(transposed ? 1 : 0);
  cols_ = x.dim(transposed ? 0 : 1);
  packed_ = Tensor({packed_size(rows_, cols_)});

  // Some panels for each thread.
  const Index width = table_->tile_cols, stored_cols = x.dim(1);
  const Index panels = ceil_divide(cols_, width);
  Real* packed = packed_.mutable_data();
  parallel_for(panels, row_grain(rows_ * width), [&](Index begin, Index end) {
    const Index first = begin * width, count = std::min(end * width, cols_) - first;
    Real* to = packed + first * rows_;
    if (transposed)
      pack_transposed(MatrixView{x.data() + first * stored_cols, count, rows_, stored_cols}, to);
    else
      pack(MatrixView{x.data() + first, rows_, count, stored_cols}, to);
  });
}

Panels PreparedMatrix::panels() const {
  CHECK(table_ == &kernels(), "packed for the kernels ", table_->name, ", used with ", kernels().name);
  return {packed_.data(), rows_, cols_, rows_ * table_->tile_cols, table_->tile_cols};
}

namespace {

Tensor product(const Tensor& x, const PreparedMatrix& w, const Epilogue* epilogue) {
  CHECK(row_length(x) == w.rows(), x.shape().to_string(), " for weights of ", w.rows(), " rows");
  Tensor y(with_last(x.shape(), w.cols()));
  multiply(as_matrix(x), w.panels(), y.mutable_data(), w.cols(), epilogue);
  return y;
}

}  // namespace

Tensor prepared_linear_forward(const Tensor& x, const PreparedMatrix& w) {
  return product(x, w, nullptr);
}

Tensor prepared_linear_bias_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b) {
  const Index out = w.cols();
  CHECK_SHAPE(b.value, out);
  const Epilogue add_bias = {.bias = b.value.data()};
  return product(x, w, &add_bias);
}

}  // namespace plainformer
