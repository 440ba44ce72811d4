#include "transformer/scaled_dot_product_attention.h"

#include <cmath>

#include "ops/batched_matmul.h"
#include "ops/elementwise.h"
#include "ops/softmax.h"

namespace plainformer {

namespace {

// 1 / sqrt(d_k). The dot product of two d_k-vectors with independent components of mean 0 and variance 1 has
// variance d_k; scaled, it has variance 1 again, and the softmax keeps a gradient (footnote 4 of the paper).
Real scale_of(Index d_k) {
  return 1 / std::sqrt(static_cast<Real>(d_k));
}

}  // namespace

Tensor scaled_dot_product_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                            const AttentionMask& mask, AttentionCache& cache) {
  const Index batch = mask.batch(), heads = query.dim(1);
  const Index query_len = query.dim(2), key_len = key.dim(2), d_k = query.dim(3), d_v = value.dim(3);
  CHECK_SHAPE(query, batch, heads, query_len, d_k);
  CHECK_SHAPE(key, batch, heads, key_len, d_k);
  CHECK_SHAPE(value, batch, heads, key_len, d_v);
  cache.query = query;
  cache.key = key;
  cache.value = value;

  // Step 1. MatMul: scores = Q K^T, one dot product for each pair of a query and a key.
  Tensor scores =
      batched_matmul(query, Transpose::kNo, key, Transpose::kYes);  // [batch, heads, query_len, key_len]

  // Step 2. Scale: scores = scores / sqrt(d_k).
  scores = scale(std::move(scores), scale_of(d_k));

  // Step 3. Mask: a query sees a prefix of the keys; the others get weight exactly 0, whatever their scores.
  cache.visible = mask.visible_keys_of_scores(heads, query_len, key_len);

  // Step 4. SoftMax: weights = softmax(scores), each row over its visible keys.
  cache.weights = softmax_forward(std::move(scores), cache.visible);  // [batch, heads, query_len, key_len]

  // Step 5. MatMul: output = weights V, an average of the values.
  return batched_matmul(cache.weights, Transpose::kNo, value,
                        Transpose::kNo);  // [batch, heads, query_len, d_v]
}

AttentionGradients scaled_dot_product_attention_backward(const Tensor& grad_output,
                                                         const AttentionCache& cache) {
  AttentionGradients grad;

  // Step 5 was: output = weights V. Both factors get a share.
  Tensor grad_weights = batched_matmul(grad_output, Transpose::kNo, cache.value, Transpose::kYes);
  grad.value = batched_matmul(cache.weights, Transpose::kYes, grad_output, Transpose::kNo);

  // Step 4 was: weights = softmax(scores), over the visible keys; step 3: the others have no influence, so
  // gradient 0.
  Tensor grad_scores = softmax_backward(std::move(grad_weights), cache.weights, cache.visible);

  // Step 2 was: scores = scores / sqrt(d_k).
  grad_scores = scale(std::move(grad_scores), scale_of(cache.query.dim(3)));

  // Step 1 was: scores = Q K^T. Both factors get a share.
  grad.query = batched_matmul(grad_scores, Transpose::kNo, cache.key, Transpose::kNo);
  grad.key = batched_matmul(grad_scores, Transpose::kYes, cache.query, Transpose::kNo);
  return grad;
}

}  // namespace plainformer
