#include "transformer/feed_forward.h"

#include "core/check.h"
#include "ops/elementwise.h"
#include "ops/linear.h"

namespace plainformer {

FeedForward::FeedForward(Index d_model, Index d_ff)
    : w_1(Tensor::zeros({d_model, d_ff})),
      b_1(Tensor::zeros({d_ff})),
      w_2(Tensor::zeros({d_ff, d_model})),
      b_2(Tensor::zeros({d_model})) {}

Tensor FeedForward::forward(const Tensor& x, Cache& cache) const {
  const Index batch = x.dim(0), len = x.dim(1), d_model = w_1.value.dim(0);
  CHECK_SHAPE(x, batch, len, d_model);
  cache.x = x;

  // Step 1. The first linear transformation: inner = x W_1 + b_1.
  Tensor inner = linear_bias_forward(x, w_1, b_1);  // [batch, len, d_ff]

  // Step 2. ReLU: hidden = max(0, inner).
  cache.hidden = relu_forward(std::move(inner));

  // Step 3. The second linear transformation: output = hidden W_2 + b_2.
  return linear_bias_forward(cache.hidden, w_2, b_2);  // [batch, len, d_model]
}

Tensor FeedForward::forward(const Tensor& x) const {
  Cache not_kept;
  return forward(x, not_kept);
}

Tensor FeedForward::backward(const Tensor& grad_output, const Cache& cache) {
  const Index batch = cache.x.dim(0), len = cache.x.dim(1), d_model = w_1.value.dim(0);
  CHECK_SHAPE(grad_output, batch, len, d_model);

  // Step 3 was: output = hidden W_2 + b_2.
  Tensor grad_hidden = linear_bias_backward(grad_output, cache.hidden, w_2, b_2);

  // Step 2 was: hidden = max(0, inner).
  const Tensor grad_inner = relu_backward(std::move(grad_hidden), cache.hidden);

  // Step 1 was: inner = x W_1 + b_1.
  return linear_bias_backward(grad_inner, cache.x, w_1, b_1);
}

void FeedForward::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w_1", &w_1});
  list.push_back({prefix + ".b_1", &b_1});
  list.push_back({prefix + ".w_2", &w_2});
  list.push_back({prefix + ".b_2", &b_2});
}

}  // namespace plainformer
