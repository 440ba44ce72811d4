// What a tensor file holds: tensors under names, and strings under keys.
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

// An index of the tensors, which must stay where they are. Of two with one name, the first.
inline TensorsByName by_name(const std::vector<NamedTensor>& tensors) {
  TensorsByName index;
  for (const NamedTensor& t : tensors) index.emplace(t.name, &t.tensor);
  return index;
}

using Metadata = std::vector<std::pair<std::string, std::string>>;

}  // namespace plainformer
