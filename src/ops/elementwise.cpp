#include "ops/elementwise.h"

#include <algorithm>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/ways.h"

namespace plainformer {

Tensor add(Tensor x, const Tensor& y) {
  CHECK(x.shape() == y.shape(), x.shape().to_string(), " for ", y.shape().to_string());
  if (ways.elementwise == Way::kFast) return fast::add(std::move(x), y);

  WritableTensor sum = std::move(x);
  for (Index i = 0; i < y.size(); ++i) sum(i) += y(i);
  return sum;
}

Tensor scale(Tensor x, Real factor) {
  WritableTensor product = std::move(x);
  for (Index i = 0; i < product.size(); ++i) product(i) *= factor;
  return product;
}

Tensor relu_forward(Tensor x) {
  if (ways.elementwise == Way::kFast) return fast::relu_forward(std::move(x));

  WritableTensor y = std::move(x);
  for (Index i = 0; i < y.size(); ++i) y(i) = std::max(y(i), Real{0});
  return y;
}

// y was: max(0, x). A negative x had no influence.
Tensor relu_backward(Tensor grad_y, const Tensor& y) {
  CHECK(grad_y.shape() == y.shape(), grad_y.shape().to_string(), " for ", y.shape().to_string());
  if (ways.elementwise == Way::kFast) return fast::relu_backward(std::move(grad_y), y);

  WritableTensor grad_x = std::move(grad_y);
  for (Index i = 0; i < y.size(); ++i) grad_x(i) = y(i) > 0 ? grad_x(i) : Real{0};
  return grad_x;
}

void check_dropout(Real probability, Index size) {
  CHECK(probability >= 0 && probability < 1, "dropout probability ", probability);
  CHECK(static_cast<std::int64_t>(size) <= std::int64_t{1} << 32, "a stream has 2^32 numbers, the tensor ",
        size, " elements");
}

Tensor dropout_forward(Tensor x, Real probability, RandomStream stream) {
  check_dropout(probability, x.size());
  if (probability == 0) return x;
  if (ways.elementwise == Way::kFast) return fast::dropout_forward(std::move(x), probability, stream);

  const std::uint32_t threshold = dropout_threshold(probability);
  WritableTensor y = Tensor::zeros(x.shape());
  for (Index i = 0; i < x.size(); ++i) {
    const bool is_kept = random_bits(stream, static_cast<std::uint32_t>(i)) >= threshold;
    if (is_kept) y(i) = x(i) / (1 - probability);
  }
  return y;
}

// y was: x / (1 - probability) for the kept elements, else 0. The same stream keeps the same elements.
Tensor dropout_backward(Tensor grad_y, Real probability, RandomStream stream) {
  check_dropout(probability, grad_y.size());
  if (probability == 0) return grad_y;
  if (ways.elementwise == Way::kFast) return fast::dropout_forward(std::move(grad_y), probability, stream);

  const std::uint32_t threshold = dropout_threshold(probability);
  WritableTensor grad_x = Tensor::zeros(grad_y.shape());
  for (Index i = 0; i < grad_y.size(); ++i) {
    const bool was_kept = random_bits(stream, static_cast<std::uint32_t>(i)) >= threshold;
    if (was_kept) grad_x(i) = grad_y(i) / (1 - probability);
  }
  return grad_x;
}

}  // namespace plainformer
