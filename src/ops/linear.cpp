#include "ops/linear.h"

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/rows.h"
#include "ops/ways.h"

namespace plainformer {

namespace {

// grad_y [..., out] has as many rows as x [..., in].
void check_gradient(const Tensor& grad_y, const Tensor& x) {
  CHECK(row_count(grad_y) == row_count(x), grad_y.shape().to_string(), " for input ", x.shape().to_string());
}

}  // namespace

Tensor linear_forward(const Tensor& x, const Parameter& w) {
  const Index rows = row_count(x), in = row_length(x), out = w.value.dim(-1);
  CHECK_SHAPE(w.value, in, out);
  if (ways.linear == Way::kFast) return fast::linear_forward(x, w);

  WritableTensor y = Tensor::zeros(with_last(x.shape(), out));
  for (Index i = 0; i < rows; ++i)
    for (Index p = 0; p < in; ++p)
      for (Index j = 0; j < out; ++j) y(i, j) += x(i, p) * w.value(p, j);
  return y;
}

// y(i, j) was: the sum over p of x(i, p) w(p, j). So x(i, p) contributed to y(i, j) for every j, and w(p, j)
// for every row i.
Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& w) {
  const Index rows = row_count(x), in = row_length(x), out = row_length(grad_y);
  CHECK_SHAPE(w.value, in, out);
  check_gradient(grad_y, x);
  if (ways.linear == Way::kFast) return fast::linear_backward(grad_y, x, w);

  WritableTensor grad_x = Tensor::zeros(x.shape());
  const TensorWriter grad_w(w.mutable_grad());
  for (Index i = 0; i < rows; ++i)
    for (Index p = 0; p < in; ++p)
      for (Index j = 0; j < out; ++j) {
        grad_x(i, p) += grad_y(i, j) * w.value(p, j);
        grad_w(p, j) += x(i, p) * grad_y(i, j);
      }
  return grad_x;
}

Tensor linear_bias_forward(const Tensor& x, const Parameter& w, const Parameter& b) {
  const Index rows = row_count(x), in = row_length(x), out = w.value.dim(-1);
  CHECK_SHAPE(w.value, in, out);
  CHECK_SHAPE(b.value, out);
  if (ways.linear == Way::kFast) return fast::linear_bias_forward(x, w, b);

  WritableTensor y = linear_forward(x, w);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < out; ++j) y(i, j) += b.value(j);
  return y;
}

// y was: x W + b. The bias was added to every row, so its gradient is the sum of all rows.
Tensor linear_bias_backward(const Tensor& grad_y, const Tensor& x, Parameter& w, Parameter& b) {
  const Index rows = row_count(x), in = row_length(x), out = row_length(grad_y);
  CHECK_SHAPE(w.value, in, out);
  CHECK_SHAPE(b.value, out);
  check_gradient(grad_y, x);
  if (ways.linear == Way::kFast) return fast::linear_bias_backward(grad_y, x, w, b);

  const TensorWriter grad_b(b.mutable_grad());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < out; ++j) grad_b(j) += grad_y(i, j);
  return linear_backward(grad_y, x, w);
}

Tensor linear_transposed_forward(const Tensor& x, const Parameter& w) {
  const Index rows = row_count(x), in = row_length(x), out = w.value.dim(0);
  CHECK_SHAPE(w.value, out, in);
  if (ways.linear == Way::kFast) return fast::linear_transposed_forward(x, w);

  WritableTensor y = Tensor::zeros(with_last(x.shape(), out));
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < out; ++j)
      for (Index p = 0; p < in; ++p) y(i, j) += x(i, p) * w.value(j, p);
  return y;
}

// y(i, j) was: the sum over p of x(i, p) w(j, p). So x(i, p) contributed to y(i, j) for every j, and w(j, p)
// for every row i.
Tensor linear_transposed_backward(const Tensor& grad_y, const Tensor& x, Parameter& w) {
  const Index rows = row_count(x), in = row_length(x), out = row_length(grad_y);
  CHECK_SHAPE(w.value, out, in);
  check_gradient(grad_y, x);
  if (ways.linear == Way::kFast) return fast::linear_transposed_backward(grad_y, x, w);

  WritableTensor grad_x = Tensor::zeros(x.shape());
  const TensorWriter grad_w(w.mutable_grad());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < out; ++j)
      for (Index p = 0; p < in; ++p) {
        grad_x(i, p) += grad_y(i, j) * w.value(j, p);
        grad_w(j, p) += grad_y(i, j) * x(i, p);
      }
  return grad_x;
}

}  // namespace plainformer
