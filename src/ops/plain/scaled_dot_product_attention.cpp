#include "ops/scaled_dot_product_attention.h"

#include <cmath>

#include "core/elements.h"
#include "ops/plain/heads.h"
#include "ops/plain/plain.h"
#include "ops/softmax.h"

namespace plainformer::plain {

namespace {

// sqrt(d_k). The dot product of two d_k-vectors with independent components of mean 0 and variance 1 has
// variance d_k. Divided by sqrt(d_k), it has variance 1 again, and the gradient of the softmax does not
// vanish (footnote 4 of the paper).
Real root_of(Index d_k) {
  return std::sqrt(static_cast<Real>(d_k));
}

}  // namespace

Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache) {
  const Index batch = query.dim(0), query_len = query.dim(1), d_k = query.dim(2) / heads;
  const Index key_len = key.dim(1), d_v = value.dim(2) / heads;

  // Split the heads. The cache keeps them, and the way, for the backward pass.
  cache.way = Way::kPlain;
  cache.heads = heads;
  const Tensor& q = cache.query = split_heads(query, heads);  // [batch, heads, query_len, d_k]
  const Tensor& k = cache.key = split_heads(key, heads);      // [batch, heads, key_len, d_k]
  const Tensor& v = cache.value = split_heads(value, heads);  // [batch, heads, key_len, d_v]

  // Step 1. MatMul: scores = Q K^T, one dot product for each pair of a query and a key.
  Tensor scores = Tensor::zeros({batch, heads, query_len, key_len});
  Elements score(scores);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_k; ++p) score(b, h, i, j) += q(b, h, i, p) * k(b, h, j, p);

  // Step 2. Scale: scores = scores / sqrt(d_k).
  const Real root = root_of(d_k);
  for (Index e = 0; e < scores.size(); ++e) score(e) /= root;

  // Step 3. Mask: a query sees only a prefix of the keys. The others get weight exactly 0.
  cache.visible_keys = mask.visible_keys_of_scores(heads, query_len, key_len);

  // Step 4. SoftMax: weights = softmax(scores), each row over its visible keys.
  const Tensor& weight = cache.weights = softmax_forward(scores, cache.visible_keys);

  // Step 5. MatMul: output = weights V, an average of the values.
  Tensor outputs = Tensor::zeros({batch, heads, query_len, d_v});
  Elements output(outputs);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_v; ++p) output(b, h, i, p) += weight(b, h, i, j) * v(b, h, j, p);

  // Concatenate the heads.
  return concatenate_heads(outputs);
}

AttentionGradients attention_backward(const Tensor& grad_concatenated, const AttentionCache& cache) {
  const Index batch = cache.query.dim(0), heads = cache.query.dim(1), query_len = cache.query.dim(2);
  const Index d_k = cache.query.dim(3), key_len = cache.key.dim(2), d_v = cache.value.dim(3);
  const Tensor &q = cache.query, &k = cache.key, &v = cache.value, &weight = cache.weights;

  // The heads were concatenated: split the gradient.
  const Tensor grad_output = split_heads(grad_concatenated, heads);  // [batch, heads, query_len, d_v]

  // Step 5 was: output = weights V. Both factors get a gradient.
  Tensor grad_weights = Tensor::zeros(weight.shape()), grad_values = Tensor::zeros(v.shape());
  Elements grad_weight(grad_weights), grad_v(grad_values);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_v; ++p) {
            grad_weight(b, h, i, j) += grad_output(b, h, i, p) * v(b, h, j, p);
            grad_v(b, h, j, p) += weight(b, h, i, j) * grad_output(b, h, i, p);
          }

  // Step 4 was: weights = softmax(scores), each row over its visible keys.
  // Step 3 was: the other keys get weight exactly 0. So the gradient of their scores is 0.
  Tensor grad_scores = softmax_backward(grad_weights, weight, cache.visible_keys);

  // Step 2 was: scores = scores / sqrt(d_k).
  Elements grad_score(grad_scores);
  const Real root = root_of(d_k);
  for (Index e = 0; e < grad_scores.size(); ++e) grad_score(e) /= root;

  // Step 1 was: scores = Q K^T. Both factors get a gradient.
  Tensor grad_queries = Tensor::zeros(q.shape()), grad_keys = Tensor::zeros(k.shape());
  Elements grad_q(grad_queries), grad_k(grad_keys);
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_k; ++p) {
            grad_q(b, h, i, p) += grad_score(b, h, i, j) * k(b, h, j, p);
            grad_k(b, h, j, p) += grad_score(b, h, i, j) * q(b, h, i, p);
          }

  // The heads were split: concatenate the gradients.
  return {.query = concatenate_heads(grad_queries),
          .key = concatenate_heads(grad_keys),
          .value = concatenate_heads(grad_values)};
}

}  // namespace plainformer::plain
