// The elements of a tensor under their indices, to be written: y(row, j) = x(row, j). For loops that are read.
// (A Tensor itself answers x(row, j) when it is read.)
#pragma once

#include "core/tensor.h"

namespace plainformer {

// As in Tensor::operator(), fewer indices than axes take the leading axes together as rows. The tensor must
// outlive this, and must not be copied meanwhile: a copy would see what is written.
class Elements {
 public:
  explicit Elements(Tensor& tensor) : shape_(tensor.shape()), data_(tensor.mutable_data()) {}

  template <typename... Indices>
  Real& operator()(Indices... indices) const {
    return data_[shape_.offset(indices...)];
  }

 private:
  Shape shape_;
  Real* data_;
};

}  // namespace plainformer
