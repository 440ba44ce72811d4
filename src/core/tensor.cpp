#include "core/tensor.h"

#include <algorithm>
#include <sstream>

#include "core/check.h"
#include "core/real.h"

namespace plainformer {

Tensor::Tensor(const Shape& shape)
    : shape_(shape), storage_(static_cast<std::size_t>(checked_multiply(shape.elements(), sizeof(Real)))) {}

Tensor Tensor::zeros(const Shape& shape) {
  return filled(shape, 0);
}

Tensor Tensor::filled(const Shape& shape, Real value) {
  Tensor tensor(shape);
  std::fill_n(tensor.storage_.data(), tensor.size(), value);
  return tensor;
}

Tensor Tensor::from(const Shape& shape, std::initializer_list<Real> values) {
  CHECK(static_cast<Index>(values.size()) == shape.elements(), values.size(), " values for shape ",
        shape.to_string());
  Tensor tensor(shape);
  std::copy(values.begin(), values.end(), tensor.storage_.data());
  return tensor;
}

Real* Tensor::mutable_data() {
  if (storage_.is_shared()) {
    Storage own(static_cast<std::size_t>(size()) * sizeof(Real));
    std::copy_n(storage_.data(), size(), own.data());
    storage_ = std::move(own);
  }
  return storage_.data();
}

Real Tensor::at(std::initializer_list<Index> index) const {
  CHECK(static_cast<int>(index.size()) == rank(), index.size(), " indices into ", shape_.to_string());
  shape_.check_indices(index);
  Index offset = 0;
  int axis = 0;
  for (const Index i : index) offset = offset * shape_[axis++] + i;
  return data()[offset];
}

Tensor Tensor::reshaped(const Shape& shape) const {
  CHECK(shape.elements() == size(), "cannot reshape ", shape_.to_string(), " to ", shape.to_string());
  Tensor view = *this;
  view.shape_ = shape;
  return view;
}

std::string Tensor::to_string() const {
  std::ostringstream text;
  text << shape_.to_string() << " {";
  for (Index i = 0; i < size(); ++i) text << (i ? ", " : "") << data()[i];
  return text.str() + "}";
}

}  // namespace plainformer
