// What a tensor file holds: tensors under names, and strings under keys.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

using Metadata = std::vector<std::pair<std::string, std::string>>;

}  // namespace plainformer
