// Paper: 6.3 English Constituency Parsing (attention dropout)
//
// A function of the attention weights that training may put between the softmax of equation (1) and the product with V,
// such as dropout. The paper's translation models have none.
//   weights [batch, heads, query_len, key_len]
#pragma once

#include <functional>

#include "core/tensor.h"

namespace plainformer {

struct AttentionWeightsHook {
  std::function<Tensor(Tensor weights)> forward;  // -> the weights that multiply V
  // The gradient of `weights` from the gradient of forward's result.
  std::function<Tensor(Tensor grad_output, const Tensor& weights)> backward;

  explicit operator bool() const { return static_cast<bool>(forward); }
};

}  // namespace plainformer
