// A right factor that many products share, packed once for them all: a decoder's weights, which every step
// multiplies by a few rows.
#pragma once

#include "ops/matmul.h"
#include "ops/panels.h"

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

}  // namespace plainformer
