// Many small matrix products at once, each of its own size, on factors that lie inside larger matrices.
#pragma once

#include <span>

#include "ops/matmul.h"

namespace plainformer {

// c = a b.    a [m, k], b [k, n], c [m, n] with c_row_stride; no c may overlap any a, b or other c
struct SmallProduct {
  MatrixView a, b;
  Real* c;
  Index c_row_stride;
};

// Computes them all. Unlike multiply, it reads b where it lies instead of packing it first: packing pays off
// only when a has many rows. The elements' bits are the same.
void ragged_matmul(std::span<const SmallProduct> products);

}  // namespace plainformer
