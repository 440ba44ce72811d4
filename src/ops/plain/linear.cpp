#include "ops/linear.h"

#include "core/elements.h"
#include "ops/plain/plain.h"
#include "ops/rows.h"

namespace plainformer::plain {

Tensor linear_forward(const Tensor& x, const Parameter& weight) {
  const Tensor& w = weight.value;
  const Index rows = row_count(x), in = w.dim(0), out = w.dim(1);
  Tensor output = Tensor::zeros(with_last(x.shape(), out));
  Elements y(output);
  for (Index i = 0; i < rows; ++i)
    for (Index p = 0; p < in; ++p)
      for (Index j = 0; j < out; ++j) y(i, j) += x(i, p) * w(p, j);
  return output;
}

// y(i, j) was: the sum over p of x(i, p) w(p, j). So x(i, p) contributed to y(i, j) for every j, and w(p, j)
// for every row i.
Tensor linear_backward(const Tensor& grad_y, const Tensor& x, Parameter& weight) {
  const Tensor& w = weight.value;
  const Index rows = row_count(x), in = w.dim(0), out = w.dim(1);
  Tensor grad_input(x.shape());
  Elements grad_x(grad_input), grad_w(weight.mutable_grad());
  for (Index i = 0; i < rows; ++i)
    for (Index p = 0; p < in; ++p) {
      Real sum = 0;
      for (Index j = 0; j < out; ++j) sum += grad_y(i, j) * w(p, j);
      grad_x(i, p) = sum;
    }
  for (Index i = 0; i < rows; ++i)
    for (Index p = 0; p < in; ++p)
      for (Index j = 0; j < out; ++j) grad_w(p, j) += x(i, p) * grad_y(i, j);
  return grad_input;
}

Tensor linear_bias_forward(const Tensor& x, const Parameter& weight, const Parameter& bias) {
  Tensor output = plain::linear_forward(x, weight);
  Elements y(output);
  for (Index i = 0; i < row_count(output); ++i)
    for (Index j = 0; j < output.dim(-1); ++j) y(i, j) += bias.value(j);
  return output;
}

// y was: x W + b. The bias was added to every row, so its gradient is the sum of all rows.
Tensor linear_bias_backward(const Tensor& grad_y, const Tensor& x, Parameter& weight, Parameter& bias) {
  Elements grad_b(bias.mutable_grad());
  for (Index i = 0; i < row_count(grad_y); ++i)
    for (Index j = 0; j < grad_y.dim(-1); ++j) grad_b(j) += grad_y(i, j);
  return plain::linear_backward(grad_y, x, weight);
}

Tensor linear_transposed_forward(const Tensor& x, const Parameter& weight) {
  const Tensor& w = weight.value;
  const Index rows = row_count(x), out = w.dim(0), in = w.dim(1);
  Tensor output(with_last(x.shape(), out));
  Elements y(output);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < out; ++j) {
      Real sum = 0;
      for (Index p = 0; p < in; ++p) sum += x(i, p) * w(j, p);
      y(i, j) = sum;
    }
  return output;
}

// y(i, j) was: the sum over p of x(i, p) w(j, p). As in linear_backward, with the indices of w exchanged.
Tensor linear_transposed_backward(const Tensor& grad_y, const Tensor& x, Parameter& weight) {
  const Tensor& w = weight.value;
  const Index rows = row_count(x), out = w.dim(0), in = w.dim(1);
  Tensor grad_input = Tensor::zeros(x.shape());
  Elements grad_x(grad_input), grad_w(weight.mutable_grad());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < out; ++j)
      for (Index p = 0; p < in; ++p) {
        grad_x(i, p) += grad_y(i, j) * w(j, p);
        grad_w(j, p) += grad_y(i, j) * x(i, p);
      }
  return grad_input;
}

}  // namespace plainformer::plain
