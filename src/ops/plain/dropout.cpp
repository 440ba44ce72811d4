#include "ops/dropout.h"

#include "core/elements.h"
#include "ops/plain/plain.h"

namespace plainformer::plain {

Tensor dropout_forward(Tensor x, Real probability, RandomStream stream) {
  const std::uint32_t threshold = dropout_threshold(probability);
  Tensor output = Tensor::zeros(x.shape());
  Elements y(output);
  for (Index i = 0; i < x.size(); ++i) {
    const bool kept = random_bits(stream, static_cast<std::uint32_t>(i)) >= threshold;
    if (kept) y(i) = x(i) / (1 - probability);
  }
  return output;
}

// y was: x / (1 - probability) for the kept elements, else 0. The same stream keeps the same elements.
Tensor dropout_backward(Tensor grad_y, Real probability, RandomStream stream) {
  return plain::dropout_forward(std::move(grad_y), probability, stream);
}

}  // namespace plainformer::plain
