// A right factor that many products share, packed once for them all: a decoder's weights, which every step
// multiplies by a few rows.
#pragma once

#include "core/parameter.h"
#include "ops/fast/matmul.h"
#include "ops/fast/panels.h"

namespace plainformer {

// op(x) as it was when this was made; x itself is not needed any more.
class PreparedMatrix {
 public:
  PreparedMatrix(const Tensor& x, Transpose transpose);  // x [rows, cols]

  Index rows() const { return rows_; }  // of op(x)
  Index cols() const { return cols_; }
  Panels panels() const;  // std::logic_error if the kernels have been changed since

 private:
  const Kernels* table_;
  Index rows_, cols_;
  Tensor packed_;
};

// As linear_forward and linear_bias_forward with that W, to the bit.
Tensor prepared_linear_forward(const Tensor& x, const PreparedMatrix& w);
Tensor prepared_linear_bias_forward(const Tensor& x, const PreparedMatrix& w, const Parameter& b);

}  // namespace plainformer
