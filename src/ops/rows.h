// A tensor as a matrix of its innermost rows.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace plainformer {

inline Index row_length(const Tensor& x) {
  return x.dim(-1);
}
inline Index row_count(const Tensor& x) {  // rows may be of length 0
  Index rows = x.rank() == 0 ? 0 : 1;
  for (int axis = 0; axis < x.rank() - 1; ++axis) rows *= x.dim(axis);
  return rows;
}

// The shape with its innermost extent replaced: [..., in] -> [..., out].
inline Shape with_last(const Shape& shape, Index last) {
  std::vector<Index> extents;
  for (int axis = 0; axis < shape.rank() - 1; ++axis) extents.push_back(shape[axis]);
  extents.push_back(last);
  return Shape(extents);
}

// x / y, rounded up.
inline Index ceil_divide(Index x, Index y) {
  return (x + y - 1) / y;
}

}  // namespace plainformer
