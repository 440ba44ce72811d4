// A right factor that is packed once for many products: a decoder's weights, which every step multiplies by a
// few rows.
#pragma once

#include "core/parameter.h"
#include "ops/fast/macro_kernel.h"
#include "ops/fast/matmul.h"
#include "ops/ways.h"

namespace plainformer {

// A copy of op(x), where op transposes or not, in the precision in use: x is not needed afterwards.
class PreparedMatrix {
 public:
  PreparedMatrix(const Tensor& x, Transpose transpose);  // x [rows, cols]

  Index rows() const { return rows_; }  // of op(x)
  Index cols() const { return cols_; }

  // x times this matrix, then + bias or null.
  Tensor product(const Tensor& x, const Real* bias) const;

 private:
  RightMicroPanels micro_panels() const;  // std::logic_error if the kernels have been changed since

  const Kernels* kernel_set_;
  Precision precision_;
  Index rows_, cols_;
  Tensor packed_;
};

// The bits of linear_forward and linear_bias_forward with that W.
Tensor prepared_linear_forward(const Tensor& x, const PreparedMatrix& w);
Tensor prepared_linear_bias_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b);

}  // namespace plainformer
