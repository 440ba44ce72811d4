// A trained tensor and its gradient.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

// A tensor of zeros that takes memory only when somebody looks at it or adds to it: whoever loads a model to
// translate with never does.
class Gradient {
 public:
  Gradient() = default;  // empty
  explicit Gradient(const Shape& shape) : shape_(shape) {}
  Gradient& operator=(Tensor tensor) {
    shape_ = tensor.shape();
    tensor_ = std::move(tensor);
    return *this;
  }

  operator Tensor&() { return tensor(); }
  operator const Tensor&() const { return tensor(); }

  const Shape& shape() const { return shape_; }
  Index size() const { return shape_.elements(); }
  const Real* data() const { return tensor().data(); }
  Real* mutable_data() { return tensor().mutable_data(); }
  Real at(std::initializer_list<Index> index) const { return tensor().at(index); }
  std::string to_string() const { return tensor().to_string(); }

 private:
  Tensor& tensor() const {
    if (tensor_.rank() != shape_.rank()) tensor_ = Tensor::zeros(shape_);
    return tensor_;
  }

  Shape shape_;
  mutable Tensor tensor_;  // of rank 0 before the first look
};

struct Parameter {
  Tensor value;
  Gradient grad;  // the same shape; backward passes add to it

  Parameter() = default;
  explicit Parameter(Tensor initial) : value(std::move(initial)), grad(value.shape()) {}
};

// Parameters under their public names ("encoder.0.self_attention.w_q"), in a fixed order. Does not own them.
struct NamedParameter {
  std::string name;
  Parameter* parameter;
};
using ParameterList = std::vector<NamedParameter>;

}  // namespace plainformer
