#include "show/trace/head_products.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"

namespace plainformer {

Tensor head_products(const Tensor& a, const Tensor& b) {
  const Index batch = 1, heads = a.dim(1), rows = a.dim(2), columns = b.dim(2), d = a.dim(3);
  CHECK_SHAPE(a, batch, heads, rows, d);
  CHECK_SHAPE(b, batch, heads, columns, d);
  WritableTensor products = Tensor::zeros({batch, heads, rows, columns});
  for (Index h = 0; h < heads; ++h)
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j)
        for (Index p = 0; p < d; ++p) products(0, h, i, j) += a(0, h, i, p) * b(0, h, j, p);
  return products;
}

Tensor divide_by_root(const Tensor& x, Index d_k) {
  const Real root = std::sqrt(static_cast<Real>(d_k));
  WritableTensor quotients = x;
  for (Index e = 0; e < quotients.size(); ++e) quotients(e) /= root;
  return quotients;
}

}  // namespace plainformer
