// A row-major array of rank 1 to 4: the value that everything else computes with.
//
// A Tensor is a value. Copying one costs nothing: the copies share their storage and read it, which is how a
// layer keeps its input for the backward pass. Whoever calls mutable_data() gets storage of their own (copied
// only if it is shared at that moment), so no copy ever sees another's writes. What was moved from is empty.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/shape.h"
#include "core/storage.h"

namespace plainformer {

class Tensor {
 public:
  Tensor() = default;  // empty: rank 0, no elements
  explicit Tensor(
      const Shape& shape);  // contents unspecified (NaN in debug builds, to find whoever reads them)

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
                     std::initializer_list<Real> values);  // row-major, one for each element

  const Shape& shape() const { return shape_; }
  Index dim(int axis) const { return shape_[axis]; }  // axis < 0 counts from the end
  int rank() const { return shape_.rank(); }
  Index size() const { return shape_.elements(); }
  bool empty() const { return size() == 0; }

  const Real* data() const { return storage_.data(); }
  Real* mutable_data();

  // One element, to be read: x(row, j), as Shape::offset counts. Unchecked but in debug builds. To write
  // elements under their indices: Elements.
  template <typename... Indices>
  Real operator()(Indices... indices) const {
    return storage_.data()[shape_.offset(indices...)];
  }

  // One element, checked: for tests, printing and the debugger, not for loops.
  Real at(std::initializer_list<Index> index) const;

  // The same elements in the same order, seen under another shape; shares the storage.
  Tensor reshaped(const Shape& shape) const;

  std::string to_string() const;  // shape and values, for small tensors

 private:
  Shape shape_;
  Storage storage_;
};

}  // namespace plainformer
