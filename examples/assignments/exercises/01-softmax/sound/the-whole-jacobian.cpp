// The powers stand in a vector, and the backward pass multiplies by the whole Jacobian.
#include <vector>

Tensor softmax_forward(const Tensor& x, std::span<const Index> visible_counts) {
  WritableTensor y = Tensor::zeros(x.shape());
  for (Index r = 0; r < row_count(x); ++r) {
    const Index n = visible_counts[r];
    if (n == 0) continue;
    Real c = x(r, 0);
    for (Index i = 1; i < n; ++i) {
      if (x(r, i) > c) c = x(r, i);
    }
    Real z = 0;
    for (Index i = 0; i < n; ++i) z += std::exp(x(r, i) - c);
    for (Index i = 0; i < n; ++i) y(r, i) = std::exp(x(r, i) - c) / z;
  }
  return y;
}

Tensor softmax_backward(const Tensor& grad_y, const Tensor& y, std::span<const Index> visible_counts) {
  WritableTensor grad_x = Tensor::zeros(y.shape());
  for (Index r = 0; r < row_count(y); ++r) {
    const Index n = visible_counts[r];
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        const Real delta = i == j ? 1 : 0;
        grad_x(r, i) += grad_y(r, j) * y(r, j) * (delta - y(r, i));
      }
    }
  }
  return grad_x;
}
