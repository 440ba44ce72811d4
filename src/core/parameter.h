// A trained tensor and its gradient.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct Parameter {
  Tensor value;
  Tensor grad;  // the same shape; empty until a backward pass adds to it, so that inference has no need of it

  Parameter() = default;
  explicit Parameter(Tensor initial) : value(std::move(initial)) {}

  // The gradient, to be added to: zeros at first.
  Tensor& mutable_grad() {
    if (grad.shape() != value.shape()) grad = Tensor::zeros(value.shape());
    return grad;
  }
};

// Parameters under their public names ("encoder.0.self_attention.w_q"), in a fixed order. Does not own them.
struct NamedParameter {
  std::string name;
  Parameter* parameter;
};
using ParameterList = std::vector<NamedParameter>;

// Sets every gradient to zeros.
void zero_gradients(const ParameterList& parameters);

}  // namespace plainformer
