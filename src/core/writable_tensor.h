// Writing the elements of a tensor by their indices, y(row, j) = x(row, j), in loops that are meant to be
// read. (For reading, a Tensor has x(row, j) itself.)
//
// A Tensor shares its storage with its copies, so each write to one must first ask whether it is shared. Both
// classes below ask once, in their constructors, and not for each element.
#pragma once

#include <utility>

#include "core/tensor.h"

namespace plainformer {

// Writes into a tensor that something else owns, such as a parameter's gradient. The tensor must outlive the
// writer, and must not be copied meanwhile: a copy would see the writes. Indices are those of Shape::offset:
// with fewer than the tensor has axes, the first one counts rows.
class TensorWriter {
 public:
  explicit TensorWriter(Tensor& tensor) : shape_(tensor.shape()), data_(tensor.mutable_data()) {}

  template <typename... Indices>
  Real& operator()(Indices... indices) const {
    return data_[shape_.offset(indices...)];
  }

 private:
  Shape shape_;
  Real* data_;
};

// A tensor while a function writes it: it is made from a Tensor, and is one again when the function returns
// it. Do not keep a copy of it and go on writing: a copy would see the writes.
class WritableTensor : public Tensor {
 public:
  WritableTensor(Tensor tensor) : Tensor(std::move(tensor)), writer_(*this) {}
  explicit WritableTensor(const Shape& shape) : WritableTensor(Tensor(shape)) {}  // contents unspecified
  WritableTensor(const WritableTensor&) = delete;
  WritableTensor& operator=(const WritableTensor&) = delete;
  Real* mutable_data() = delete;

  template <typename... Indices>
  Real& operator()(Indices... indices) const {
    return writer_(indices...);
  }

 private:
  TensorWriter writer_;
};

}  // namespace plainformer
