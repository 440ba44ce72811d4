#include "transformer/fused_attention.h"

#include <cmath>

namespace plainformer {

Tensor fused_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                               const AttentionMask& mask, Index heads, FusedAttentionCache& cache) {
  const Index batch = mask.batch(), query_len = query.dim(1), key_len = key.dim(1);
  CHECK(heads > 0 && query.dim(2) % heads == 0 && value.dim(2) % heads == 0, heads, " heads of query ",
        query.shape().to_string(), " and value ", value.shape().to_string());
  const Index d_k = query.dim(2) / heads, d_v = value.dim(2) / heads;
  CHECK_SHAPE(query, batch, query_len, heads * d_k);
  CHECK_SHAPE(key, batch, key_len, heads * d_k);
  CHECK_SHAPE(value, batch, key_len, heads * d_v);
  cache.visible = mask.visible_keys_of_scores(/*heads=*/1, query_len, key_len);
  cache.blocks = heads;
  cache.scale = 1 / std::sqrt(static_cast<Real>(d_k));

  // Steps 1 to 5 of equation (1): output = softmax(Q K^T / sqrt(d_k)) V.
  return softmax_matmul_forward(query, key, value, cache);
}

FusedAttentionGradients fused_attention_backward(const Tensor& grad_output,
                                                 const FusedAttentionCache& cache) {
  // Steps 5 to 1 were: output = softmax(Q K^T / sqrt(d_k)) V.
  auto [grad_query, grad_key, grad_value] = softmax_matmul_backward(grad_output, cache);
  return {.query = std::move(grad_query), .key = std::move(grad_key), .value = std::move(grad_value)};
}

}  // namespace plainformer
