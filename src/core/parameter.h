// A trained tensor and its gradient.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct Parameter {
  Tensor value;
  Tensor grad;  // the same shape; backward passes add to it

  Parameter() = default;
  explicit Parameter(Tensor initial) : value(std::move(initial)), grad(Tensor::zeros(value.shape())) {}
};

// Parameters under their public names ("encoder.0.self_attention.w_q"), in a fixed order. Does not own them.
struct NamedParameter {
  std::string name;
  Parameter* parameter;
};
using ParameterList = std::vector<NamedParameter>;

}  // namespace plainformer
