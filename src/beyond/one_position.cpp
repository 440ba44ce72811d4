#include "beyond/one_position.h"

#include "core/check.h"
#include "core/writable_tensor.h"

namespace plainformer {

Tensor take_position(const Tensor& x, Index t) {
  const Index batch = x.dim(0), d = x.dim(2);
  WritableTensor y({batch, d});
  for (Index element = 0; element < batch; ++element)
    for (Index j = 0; j < d; ++j) y(element, j) = x(element, t, j);
  return y;
}

void put_position(const Tensor& y, Index t, Tensor& x) {
  const Index batch = x.dim(0), d = x.dim(2);
  CHECK_SHAPE(y, batch, d);
  const TensorWriter to(x);
  for (Index element = 0; element < batch; ++element)
    for (Index j = 0; j < d; ++j) to(element, t, j) = y(element, j);
}

Tensor take_last_position(const Tensor& x, const std::vector<Index>& lengths) {
  const Index batch = x.dim(0), d = x.dim(2);
  CHECK(std::ssize(lengths) == batch, lengths.size(), " lengths for ", x.shape().to_string());
  WritableTensor y({batch, d});
  for (Index element = 0; element < batch; ++element)
    for (Index j = 0; j < d; ++j) y(element, j) = x(element, lengths[element] - 1, j);
  return y;
}

void put_last_position(const Tensor& y, const std::vector<Index>& lengths, Tensor& x) {
  const Index batch = x.dim(0), d = x.dim(2);
  CHECK_SHAPE(y, batch, d);
  CHECK(std::ssize(lengths) == batch, lengths.size(), " lengths for ", x.shape().to_string());
  const TensorWriter to(x);
  for (Index element = 0; element < batch; ++element)
    for (Index j = 0; j < d; ++j) to(element, lengths[element] - 1, j) = y(element, j);
}

Tensor join_columns(const Tensor& a, const Tensor& b) {
  const Index d_a = a.dim(-1), d_b = b.dim(-1), rows = a.size() / d_a;
  CHECK(b.size() == rows * d_b, a.shape().to_string(), " beside ", b.shape().to_string());
  WritableTensor x(a.rank() == 2 ? Shape{rows, d_a + d_b} : Shape{a.dim(0), a.dim(1), d_a + d_b});
  for (Index row = 0; row < rows; ++row) {
    for (Index j = 0; j < d_a; ++j) x(row, j) = a(row, j);
    for (Index j = 0; j < d_b; ++j) x(row, d_a + j) = b(row, j);
  }
  return x;
}

std::pair<Tensor, Tensor> split_columns(const Tensor& x, Index d_a) {
  const Index d_b = x.dim(-1) - d_a, rows = x.size() / x.dim(-1);
  CHECK(d_a > 0 && d_b > 0, "column ", d_a, " of ", x.shape().to_string());
  WritableTensor a(x.rank() == 2 ? Shape{rows, d_a} : Shape{x.dim(0), x.dim(1), d_a});
  WritableTensor b(x.rank() == 2 ? Shape{rows, d_b} : Shape{x.dim(0), x.dim(1), d_b});
  for (Index row = 0; row < rows; ++row) {
    for (Index j = 0; j < d_a; ++j) a(row, j) = x(row, j);
    for (Index j = 0; j < d_b; ++j) b(row, j) = x(row, d_a + j);
  }
  return {a, b};
}

Tensor turn_around(const Tensor& x, const std::vector<Index>& lengths) {
  const Index batch = x.dim(0), len = x.dim(1), d = x.dim(2);
  CHECK(std::ssize(lengths) == batch, lengths.size(), " lengths for ", x.shape().to_string());
  WritableTensor y(x.shape());
  for (Index element = 0; element < batch; ++element)
    for (Index t = 0; t < len; ++t) {
      const Index from = t < lengths[element] ? lengths[element] - 1 - t : t;
      for (Index j = 0; j < d; ++j) y(element, t, j) = x(element, from, j);
    }
  return y;
}

}  // namespace plainformer
