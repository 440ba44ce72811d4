// Only what is negative changes, and the gradient begins at 0.
Tensor relu_forward(Tensor x) {
  WritableTensor y = std::move(x);
  for (Index i = y.size() - 1; i >= 0; --i) {
    if (y(i) < 0) y(i) = 0;
  }
  return y;
}

Tensor relu_backward(Tensor grad_y, const Tensor& y) {
  WritableTensor grad_x = Tensor::zeros(y.shape());
  for (Index i = 0; i < y.size(); ++i) {
    if (y(i) > 0) grad_x(i) = grad_y(i);
  }
  return grad_x;
}
