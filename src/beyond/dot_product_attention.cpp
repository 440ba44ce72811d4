#include "beyond/dot_product_attention.h"

#include <cmath>

#include "core/check.h"
#include "ops/elementwise.h"

namespace plainformer {

namespace {

Real root_of(Index width, Index heads) {
  return std::sqrt(static_cast<Real>(width / heads));
}

}  // namespace

Tensor dot_product_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const AttentionMask& mask, Index heads, AttentionCache& cache) {
  CHECK(heads > 0, heads, " heads");
  // Step 1. Lengthen the queries: q' = sqrt(d_k) q.
  const Tensor longer = scale(query, root_of(query.dim(-1), heads));  // [batch, query_len, heads * d_k]

  // Step 2. Attend: output = Attention(q', k, v), by equation (1).
  return attention_forward(longer, key, value, mask, heads, cache);
}

AttentionGradients dot_product_attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  // Step 2 was: output = Attention(q', k, v).
  AttentionGradients grad = attention_backward(grad_output, cache);

  // Step 1 was: q' = sqrt(d_k) q.
  const Real root = root_of(grad.query.dim(-1), cache.heads);
  grad.query = scale(std::move(grad.query), root);
  return grad;
}

}  // namespace plainformer
