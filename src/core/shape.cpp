#include "core/shape.h"

#include "core/check.h"
#include "core/real.h"

namespace plainformer {

Shape::Shape(std::span<const Index> dims) : rank_(static_cast<int>(dims.size())) {
  CHECK(dims.size() >= 1 && dims.size() <= kMaxRank, "a shape has rank 1 to 4, not ", dims.size());
  int axis = 0;
  elements_ = 1;
  for (Index dim : dims) {
    CHECK(dim >= 0, "extent ", axis, " is negative: ", dim);
    dims_[axis++] = dim;
    elements_ = checked_multiply(elements_, dim);
  }
}

Index Shape::operator[](int axis) const {
  const int from_front = axis < 0 ? axis + rank_ : axis;
  CHECK(from_front >= 0 && from_front < rank_, "axis ", axis, " of a shape of rank ", rank_);
  return dims_[from_front];
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (int axis = 0; axis < rank_; ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(dims_[axis]);
  }
  return text + "]";
}

void Shape::check_indices(std::initializer_list<Index> indices) const {
  const auto given = static_cast<int>(indices.size());
  CHECK(given <= rank_ || (given == 2 && rank_ == 1), given, " indices into ", to_string());
  Index rows = 1;  // the range of the first index: all leading axes together
  for (int axis = 0; axis <= rank_ - given; ++axis) rows *= dims_[axis];
  int axis = rank_ - given;
  for (const Index i : indices) {
    const Index extent = axis == rank_ - given ? rows : dims_[axis];
    CHECK(i >= 0 && i < extent, "index ", i, " on axis ", axis, " of ", to_string());
    ++axis;
  }
}

}  // namespace plainformer
