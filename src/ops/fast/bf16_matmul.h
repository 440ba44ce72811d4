// Matrix products of factors that are rounded to bfloat16, with sums in float (kernels/bf16.h).
#pragma once

#include "core/scratch.h"
#include "kernels/bf16.h"
#include "ops/fast/product.h"

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

// The products of matmul.h in bfloat16.
using Bf16Product = Product<Bf16RightPanels>;
void multiply_bf16(const Bf16Product& product);
void multiply_bf16(MatrixView a, const Bf16RightPanels& b, Real* c, Index c_row_stride,
                   const Real* bias = nullptr);

}  // namespace plainformer
