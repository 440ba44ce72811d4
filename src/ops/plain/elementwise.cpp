#include "ops/elementwise.h"

#include "core/elements.h"
#include "ops/plain/plain.h"

namespace plainformer::plain {

Tensor add(Tensor x, const Tensor& y) {
  Elements sum(x);
  for (Index i = 0; i < y.size(); ++i) sum(i) += y(i);
  return x;
}

Tensor scale(Tensor x, Real factor) {
  Elements product(x);
  for (Index i = 0; i < x.size(); ++i) product(i) *= factor;
  return x;
}

}  // namespace plainformer::plain
