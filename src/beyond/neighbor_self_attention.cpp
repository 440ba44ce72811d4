#include "beyond/neighbor_self_attention.h"

#include "core/check.h"
#include "ops/elementwise.h"
#include "ops/linear.h"

namespace plainformer {

NeighborSelfAttention::NeighborSelfAttention(Index d_model, Index heads)
    : w_q(Tensor::zeros({d_model, d_model})),
      w_k(Tensor::zeros({d_model, d_model})),
      w_v(Tensor::zeros({d_model, d_model})),
      w_o(Tensor::zeros({d_model, d_model})),
      heads_(heads) {
  CHECK(heads > 0 && d_model % heads == 0, heads, " heads do not divide d_model ", d_model);
}

Tensor NeighborSelfAttention::forward(const Tensor& x, const NeighborMask& mask, Cache& cache) const {
  const Index batch = mask.batch(), len = x.dim(1), d_model = w_q.value.dim(0);
  CHECK_SHAPE(x, batch, len, d_model);
  cache.x = x;

  // Step 1. Project: q = x W^Q, k = x W^K, v = x W^V, for all heads at once.
  const Tensor q = linear_forward(x, w_q);  // [batch, len, heads * d_k]
  const Tensor k = linear_forward(x, w_k);  // [batch, len, heads * d_k]
  const Tensor v = linear_forward(x, w_v);  // [batch, len, heads * d_v]

  // Step 2. Attend to the neighbors, in each head.
  cache.concat = neighbor_attention_forward(q, k, v, mask, heads_, cache.attention);  // [batch, len, d_model]

  // Step 3. Project back: output = concat W^O.
  return linear_forward(cache.concat, w_o);
}

Tensor NeighborSelfAttention::backward(const Tensor& grad_output, const Cache& cache) {
  const Index batch = cache.x.dim(0), len = cache.x.dim(1), d_model = w_q.value.dim(0);
  CHECK_SHAPE(grad_output, batch, len, d_model);

  // Step 3 was: output = concat W^O.
  const Tensor grad_concat = linear_backward(grad_output, cache.concat, w_o);

  // Step 2 was: attend to the neighbors, in each head.
  const AttentionGradients grad = neighbor_attention_backward(grad_concat, cache.attention);

  // Step 1 was: q = x W^Q, k = x W^K, v = x W^V. All three came from x, so their gradients add up.
  Tensor grad_x = linear_backward(grad.query, cache.x, w_q);
  grad_x = add(std::move(grad_x), linear_backward(grad.key, cache.x, w_k));
  return add(std::move(grad_x), linear_backward(grad.value, cache.x, w_v));
}

void NeighborSelfAttention::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w_q", &w_q});
  list.push_back({prefix + ".w_k", &w_k});
  list.push_back({prefix + ".w_v", &w_v});
  list.push_back({prefix + ".w_o", &w_o});
}

}  // namespace plainformer
