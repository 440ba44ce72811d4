// The widths of all heads side by side, for the accounts.
#pragma once

#include <cstdint>

#include "transformer/config.h"

namespace plainformer {

// The columns of W^Q and W^K, and those of W^V.
inline std::int64_t key_width(const ModelConfig& config) {
  return std::int64_t{config.heads} * config.head_d_k();
}
inline std::int64_t value_width(const ModelConfig& config) {
  return std::int64_t{config.heads} * config.head_d_v();
}

}  // namespace plainformer
