// Matrix products of factors that are rounded to bfloat16, with sums in float (kernels/bf16.h).
#pragma once

#include "core/scratch.h"
#include "kernels/bf16.h"
#include "ops/fast/matmul.h"

namespace plainformer {

// A right factor [depth, cols], packed by Bf16Kernels::pack_right.
struct Bf16RightPanels {
  const Bf16* data;
  Index depth, cols;
  Index panel_stride;

  Bf16RightPanels from_column(Index j) const;  // the columns from j on, a multiple of kBf16PanelCols
  Bf16RightPanels from_row(Index p) const;     // the rows from p on, a multiple of kBf16DepthStep
};

// op(x), packed by kernels() into memory of the caller, packed_bf16_size elements.
Index packed_bf16_size(Index depth, Index cols);
Bf16RightPanels pack_right_bf16(const MatrixView& x, Transpose transpose, Bf16* to);

// How many Reals hold `count` bfloat16 numbers; and scratch memory for that many.
Index reals_for_bf16(Index count);
Bf16* take_bf16(Scratch& scratch, Index count);

// c (+)= op(a) op(b), then + bias, on the calling thread.
struct Bf16Product {
  MatrixView a;
  Transpose transpose_a;
  MatrixView b;
  Transpose transpose_b;
  const Bf16RightPanels* packed_b;  // if op(b) is packed already; or null
  Real* c;                          // [rows of op(a), columns of op(b)]
  Index c_row_stride;
  bool accumulate;
  const Real* bias;  // or null
};
void multiply_bf16(const Bf16Product& product);

}  // namespace plainformer
