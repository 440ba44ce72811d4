#include "ops/linear.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/matmul.h"
#include "ops/relu.h"
#include "ops/rows.h"

namespace plainformer {

namespace {

Tensor multiply_rows(const Tensor& x, const Parameter& w, const Epilogue* epilogue) {
  const Index in = row_length(x), out = w.value.dim(-1);
  CHECK_SHAPE(w.value, in, out);
  Tensor y(with_last(x.shape(), out));
  multiply(as_matrix(x), Transpose::kNo, as_matrix(w.value), Transpose::kNo, y.mutable_data(), out, false,
           epilogue);
  return y;
}

Tensor multiply_rows(const Tensor& x, const PreparedMatrix& w, const Epilogue* epilogue) {
  CHECK(row_length(x) == w.rows(), x.shape().to_string(), " for weights of ", w.rows(), " rows");
  Tensor y(with_last(x.shape(), w.cols()));
  multiply(as_matrix(x), w.panels(), y.mutable_data(), w.cols(), epilogue);
  return y;
}

Epilogue epilogue_of(const Parameter& b, Index out, bool relu) {
  CHECK_SHAPE(b.value, out);
  return {.bias = b.value.data(), .relu = relu};
}

}  // namespace

Tensor linear_forward(const Tensor& x, const Parameter& w) {
  return multiply_rows(x, w, nullptr);
}

Tensor linear_forward(const Tensor& x, const Parameter& w, const Parameter& b) {
  const Epilogue epilogue = epilogue_of(b, w.value.dim(-1), false);
  return multiply_rows(x, w, &epilogue);
}

Tensor linear_relu_forward(const Tensor& x, const Parameter& w, const Parameter& b) {
  const Epilogue epilogue = epilogue_of(b, w.value.dim(-1), true);
  return multiply_rows(x, w, &epilogue);
}

Tensor linear_forward(const Tensor& x, const PreparedMatrix& w) {
  return multiply_rows(x, w, nullptr);
}

Tensor linear_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b) {
  const Epilogue epilogue = epilogue_of(b, w.cols(), false);
  return multiply_rows(x, w, &epilogue);
}

Tensor linear_relu_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b) {
  const Epilogue epilogue = epilogue_of(b, w.cols(), true);
  return multiply_rows(x, w, &epilogue);
}

Tensor linear_relu_backward(Tensor grad_y, const Tensor& y, const Tensor& x, Parameter& w, Parameter& b) {
  return linear_backward(relu_backward(std::move(grad_y), y), x, w, b);
}

Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w) {
  const Index in = row_length(x), out = row_length(grad_y);
  CHECK_SHAPE(w.value, in, out);
  CHECK(row_count(grad_y) == row_count(x), grad_y.shape().to_string(), " for input ", x.shape().to_string());
  // y = x W, so W's gradient gathers over all rows, and each row of x gets W^T's share.
  matmul_accumulate(x, Transpose::kYes, grad_y, Transpose::kNo, w.grad);
  Tensor grad_x(x.shape());
  multiply(as_matrix(grad_y), Transpose::kNo, as_matrix(w.value), Transpose::kYes, grad_x.mutable_data(), in,
           false);
  return grad_x;
}

Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w, Parameter& b) {
  const Index rows = row_count(grad_y), out = row_length(grad_y);
  CHECK_SHAPE(b.value, out);
  Tensor grad_x = linear_backward(grad_y, x, w);
  // b was added to every row, so its gradient is the sum of all rows. A thread owns some of the columns.
  Real* grad_b = b.grad.mutable_data();
  parallel_for(out, std::max<Index>(64, row_grain(rows)), [&](Index begin, Index end) {
    kernels().sum_columns(rows, end - begin, grad_y.data() + begin, out, grad_b + begin);
  });
  return grad_x;
}

}  // namespace plainformer
