#include "ops/elementwise.h"

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/ways.h"

namespace plainformer {

Tensor add(Tensor x, const Tensor& y) {
  CHECK(x.shape() == y.shape(), x.shape().to_string(), " for ", y.shape().to_string());
  if (ways.elementwise == Way::kFast) return fast::add(std::move(x), y);

  WritableTensor sum = std::move(x);
  for (Index i = 0; i < y.size(); ++i) sum(i) += y(i);
  return sum;
}

Tensor scale(Tensor x, Real factor) {
  if (ways.elementwise == Way::kFast) return fast::scale(std::move(x), factor);

  WritableTensor product = std::move(x);
  for (Index i = 0; i < product.size(); ++i) product(i) *= factor;
  return product;
}

}  // namespace plainformer
