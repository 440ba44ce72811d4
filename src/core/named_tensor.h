// The contents of a tensor file: named tensors, and metadata strings under keys.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

using TensorsByName = std::unordered_map<std::string, const Tensor*>;

// An index of the tensors, which must not move while it is in use. If two share a name, the first is found.
inline TensorsByName by_name(const std::vector<NamedTensor>& tensors) {
  TensorsByName index;
  for (const NamedTensor& t : tensors) index.emplace(t.name, &t.tensor);
  return index;
}

using Metadata = std::vector<std::pair<std::string, std::string>>;

}  // namespace plainformer
