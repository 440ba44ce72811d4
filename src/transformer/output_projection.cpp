#include "transformer/output_projection.h"

#include "core/check.h"
#include "ops/linear.h"

namespace plainformer {

Tensor output_projection_forward(const Tensor& x, const Parameter& table) {
  const Index batch = x.dim(0), len = x.dim(1), d_model = table.value.dim(1);
  CHECK_SHAPE(x, batch, len, d_model);
  return linear_transposed_forward(x, table);
}

}  // namespace plainformer
