// Writes the elements of a tensor by their indices, y(row, j) = x(row, j), in loops that are meant to be
// read. (For reading, a Tensor has x(row, j) itself.)
#pragma once

#include "core/tensor.h"

namespace plainformer {

// Indices are those of Shape::offset: with fewer than the tensor has axes, the first one counts rows. The
// tensor must outlive this object, and must not be copied meanwhile: a copy would see the writes.
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
