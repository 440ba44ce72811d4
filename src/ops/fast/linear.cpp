#include "ops/linear.h"

#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/fast/matmul.h"
#include "ops/rows.h"

namespace plainformer::fast {

namespace {

// x op(W), where op transposes or not. Each operation below needs it once.
Tensor product(const Tensor& x, const Parameter& w, Transpose transpose_w, const Real* bias = nullptr) {
  const Index out = w.value.dim(transpose_w == Transpose::kNo ? 1 : 0);
  Tensor y(with_last(x.shape(), out));
  multiply(as_matrix(x), Transpose::kNo, as_matrix(w.value), transpose_w, y.mutable_data(), false, bias);
  return y;
}

// grad += x^T y, over all rows.
void accumulate_product(const Tensor& x, const Tensor& y, Tensor& grad) {
  multiply(as_matrix(x), Transpose::kYes, as_matrix(y), Transpose::kNo, grad.mutable_data(), true);
}

}  // namespace

Tensor linear_forward(const Tensor& x, const Parameter& w) {
  return product(x, w, Transpose::kNo);
}

Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w) {
  // y was: x W. So grad_W = x^T grad_y, summed over the rows, and grad_x = grad_y W^T.
  accumulate_product(x, grad_y, w.mutable_grad());
  return product(grad_y, w, Transpose::kYes).reshaped(x.shape());
}

Tensor linear_bias_forward(const Tensor& x, const Parameter& w, const Parameter& b) {
  return product(x, w, Transpose::kNo, b.value.data());  // added while the elements are still in registers
}

Tensor linear_bias_backward(const Tensor& grad_y, const Tensor& x, Parameter& w, Parameter& b) {
  Tensor grad_x = fast::linear_backward(grad_y, x, w);
  // y was: x W + b. The bias was added to every row, so its gradient is the sum of all rows. A thread owns
  // some columns.
  const Index rows = row_count(grad_y), out = row_length(grad_y);
  Real* grad_b = b.mutable_grad().mutable_data();
  parallel_for(out, std::max<Index>(64, row_grain(rows)), [&](Index begin, Index end) {
    for (Index i = 0; i < rows; ++i)
      kernels().add(end - begin, grad_y.data() + i * out + begin, grad_b + begin);
  });
  return grad_x;
}

Tensor linear_transposed_forward(const Tensor& x, const Parameter& w) {
  return product(x, w, Transpose::kYes);
}

Tensor linear_transposed_backward(const Tensor& grad_y, const Tensor& x, Parameter& w) {
  // y was: x W^T. So grad_W = grad_y^T x, and grad_x = grad_y W.
  accumulate_product(grad_y, x, w.mutable_grad());
  return product(grad_y, w, Transpose::kNo).reshaped(x.shape());
}

}  // namespace plainformer::fast
