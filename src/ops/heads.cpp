#include "ops/heads.h"

#include "core/writable_tensor.h"

namespace plainformer {

Tensor split_heads(const Tensor& x, Index heads) {
  const Index batch = x.dim(0), len = x.dim(1), d_k = x.dim(2) / heads;
  WritableTensor head({batch, heads, len, d_k});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < len; ++i)
        for (Index p = 0; p < d_k; ++p) head(b, h, i, p) = x(b, i, h * d_k + p);
  return head;
}

Tensor concatenate_heads(const Tensor& head) {
  const Index batch = head.dim(0), heads = head.dim(1), len = head.dim(2), d_v = head.dim(3);
  WritableTensor concat({batch, len, heads * d_v});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < len; ++i)
        for (Index p = 0; p < d_v; ++p) concat(b, i, h * d_v + p) = head(b, h, i, p);
  return concat;
}

}  // namespace plainformer
