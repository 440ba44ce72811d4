// A trained tensor and its gradient; and tensors under names, as in a file.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct Parameter {
  Tensor value;
  Tensor grad;  // the same shape; empty until a backward pass adds to it, so inference needs no memory for it

  Parameter() = default;
  explicit Parameter(Tensor initial) : value(std::move(initial)) {}

  // The gradient, to which a backward pass adds. It is zeros at first.
  Tensor& mutable_grad() {
    if (grad.shape() != value.shape()) grad = Tensor::zeros(value.shape());
    return grad;
  }
};

// A parameter under its public name, such as "encoder.0.self_attention.w_q". The model owns it.
struct NamedParameter {
  std::string name;
  Parameter* parameter;
};
using ParameterList = std::vector<NamedParameter>;  // in a fixed order

// Sets every gradient to zeros.
inline void zero_gradients(const ParameterList& parameters) {
  for (const NamedParameter& p : parameters) {
    Tensor& grad = p.parameter->mutable_grad();
    std::fill_n(grad.mutable_data(), grad.size(), Real{0});
  }
}

// The contents of a tensor file: named tensors, and metadata strings under keys.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
using Metadata = std::vector<std::pair<std::string, std::string>>;

// The text under a key; nullptr if there is none.
inline const std::string* find_text(const Metadata& metadata, const std::string& key) {
  for (const auto& [name, text] : metadata)
    if (name == key) return &text;
  return nullptr;
}

using TensorsByName = std::unordered_map<std::string, const Tensor*>;

// An index of the tensors, which must not move while it is in use. If two share a name, the first is found.
inline TensorsByName by_name(const std::vector<NamedTensor>& tensors) {
  TensorsByName index;
  for (const NamedTensor& t : tensors) index.emplace(t.name, &t.tensor);
  return index;
}

}  // namespace plainformer
