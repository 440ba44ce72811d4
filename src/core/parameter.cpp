#include "core/parameter.h"

#include <algorithm>

namespace plainformer {

void zero_gradients(const ParameterList& parameters) {
  for (const NamedParameter& p : parameters) {
    Tensor& grad = p.parameter->mutable_grad();
    std::fill_n(grad.mutable_data(), grad.size(), Real{0});
  }
}

}  // namespace plainformer
