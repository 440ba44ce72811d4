#include "lab/trace/head_products.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"

namespace plainformer {

Tensor split_heads(const Tensor& x, Index heads) {
  const Index batch = 1, len = x.dim(1), d_k = x.dim(2) / heads;
  CHECK_SHAPE(x, batch, len, heads * d_k);
  Tensor split({batch, heads, len, d_k});
  TensorWriter head(split);
  for (Index h = 0; h < heads; ++h)
    for (Index i = 0; i < len; ++i)
      for (Index p = 0; p < d_k; ++p) head(0, h, i, p) = x(0, i, h * d_k + p);
  return split;
}

Tensor head_products(const Tensor& a, const Tensor& b) {
  const Index batch = 1, heads = a.dim(1), rows = a.dim(2), columns = b.dim(2), d = a.dim(3);
  CHECK_SHAPE(a, batch, heads, rows, d);
  CHECK_SHAPE(b, batch, heads, columns, d);
  Tensor products = Tensor::zeros({batch, heads, rows, columns});
  TensorWriter product(products);
  for (Index h = 0; h < heads; ++h)
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j)
        for (Index p = 0; p < d; ++p) product(0, h, i, j) += a(0, h, i, p) * b(0, h, j, p);
  return products;
}

Tensor divide_by_root(const Tensor& x, Index d_k) {
  const Real root = std::sqrt(static_cast<Real>(d_k));
  Tensor quotients = x;
  Real* data = quotients.mutable_data();
  for (Index e = 0; e < quotients.size(); ++e) data[e] /= root;
  return quotients;
}

}  // namespace plainformer
