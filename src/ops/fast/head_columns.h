// The heads stand side by side in the columns of a tensor: head h is the h-th block.
#pragma once

#include "ops/fast/matmul.h"

namespace plainformer::fast {

// The columns of one head of one element of the batch.    x [batch, len, heads * width] -> [len, width]
inline MatrixView head_columns(const Tensor& x, Index element, Index head, Index heads) {
  const Index len = x.dim(1), row_stride = x.dim(2), width = row_stride / heads;
  return {x.data() + element * len * row_stride + head * width, len, width, row_stride};
}

}  // namespace plainformer::fast
