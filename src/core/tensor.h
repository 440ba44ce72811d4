// A row-major array of rank 1 to 4: the type of all inputs and results.
//
// A Tensor is a value. Copying one costs nothing, because the copies share their storage; so a layer can keep
// its input for the backward pass. mutable_data() first copies the storage if it is shared, so writes to one
// tensor never show in another. A moved-from tensor is empty.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "core/shape.h"
#include "core/storage.h"

namespace plainformer {

class Tensor {
 public:
  Tensor() = default;                   // empty: rank 0, no elements
  explicit Tensor(const Shape& shape);  // contents unspecified (NaN in debug builds and in the course)

  Tensor(const Tensor&) = default;
  Tensor(Tensor&& other) noexcept
      : shape_(std::exchange(other.shape_, Shape())), storage_(std::move(other.storage_)) {}
  Tensor& operator=(Tensor other) noexcept {
    std::swap(shape_, other.shape_);
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~Tensor() = default;

  static Tensor zeros(const Shape& shape);
  static Tensor filled(const Shape& shape, Real value);
  static Tensor from(const Shape& shape,
                     std::initializer_list<Real> values);  // row-major, one value for each element

  const Shape& shape() const { return shape_; }
  Index dim(int axis) const { return shape_[axis]; }  // axis < 0 counts from the end
  int rank() const { return shape_.rank(); }
  Index size() const { return shape_.elements(); }
  bool empty() const { return size() == 0; }

  const Real* data() const { return storage_.data(); }
  Real* mutable_data();

  // Reads one element, x(row, j), with indices as in Shape::offset. Only debug builds check them.
  // WritableTensor and TensorWriter (core/writable_tensor.h) write in this notation.
  template <typename... Indices>
  Real operator()(Indices... indices) const {
    return storage_.data()[shape_.offset(indices...)];
  }

  // Reads one element and checks the indices in all builds: for tests, printing and the debugger, not for
  // loops.
  Real at(std::initializer_list<Index> index) const;

  // This tensor's elements in their order, with another shape. The result shares the storage.
  Tensor reshaped(const Shape& shape) const;

  std::string to_string() const;  // shape and values, for small tensors

 private:
  Shape shape_;
  Storage storage_;
};

}  // namespace plainformer
