#include "ops/scaled_dot_product_attention.h"

#include <cmath>

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/softmax.h"

namespace plainformer {

Tensor attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask,
                         AttentionCache& cache) {
  const Index batch = mask.batch(), heads = q.dim(1), query_len = q.dim(2), key_len = k.dim(2);
  const Index d_k = q.dim(3), d_v = v.dim(3);
  CHECK_SHAPE(q, batch, heads, query_len, d_k);
  CHECK_SHAPE(k, batch, heads, key_len, d_k);
  CHECK_SHAPE(v, batch, heads, key_len, d_v);

  // Step 1. MatMul: scores = Q K^T, one dot product for each pair of a query and a key.
  WritableTensor scores = Tensor::zeros({batch, heads, query_len, key_len});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_k; ++p) scores(b, h, i, j) += q(b, h, i, p) * k(b, h, j, p);

  // Step 2. Scale: scores = scores / sqrt(d_k). The dot product of two d_k-vectors with independent
  // components of mean 0 and variance 1 has variance d_k. Divided by sqrt(d_k), it has variance 1 again
  // (footnote 4 of the paper).
  const Real root = std::sqrt(static_cast<Real>(d_k));
  for (Index e = 0; e < scores.size(); ++e) scores(e) /= root;

  // Step 3. Mask: a query sees only a prefix of the keys. The others get weight exactly 0.
  const std::vector<Index> visible_keys = mask.visible_keys_of_scores(heads, query_len, key_len);

  // Step 4. SoftMax: weights = softmax(scores), each row over its visible keys.
  const Tensor weights = softmax_forward(scores, visible_keys);

  // Step 5. MatMul: output = weights V, an average of the values.
  WritableTensor output = Tensor::zeros({batch, heads, query_len, d_v});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_v; ++p) output(b, h, i, p) += weights(b, h, i, j) * v(b, h, j, p);

  cache = {.q = q, .k = k, .v = v, .visible_keys = visible_keys, .weights = weights};
  return output;
}

AttentionGradients attention_backward(const Tensor& grad_output, const AttentionCache& cache) {
  const Tensor &q = cache.q, &k = cache.k, &v = cache.v, &weights = cache.weights;
  const Index batch = q.dim(0), heads = q.dim(1), query_len = q.dim(2), key_len = k.dim(2);
  const Index d_k = q.dim(3), d_v = v.dim(3);
  CHECK_SHAPE(grad_output, batch, heads, query_len, d_v);

  // Step 5 was: output = weights V. Both factors get a gradient.
  WritableTensor grad_weights = Tensor::zeros(weights.shape()), grad_v = Tensor::zeros(v.shape());
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_v; ++p) {
            grad_weights(b, h, i, j) += grad_output(b, h, i, p) * v(b, h, j, p);
            grad_v(b, h, j, p) += weights(b, h, i, j) * grad_output(b, h, i, p);
          }

  // Step 4 was: weights = softmax(scores), each row over its visible keys.
  // Step 3 was: the other keys get weight exactly 0. So the gradient of their scores is 0.
  WritableTensor grad_scores = softmax_backward(grad_weights, weights, cache.visible_keys);

  // Step 2 was: scores = scores / sqrt(d_k).
  const Real root = std::sqrt(static_cast<Real>(d_k));
  for (Index e = 0; e < grad_scores.size(); ++e) grad_scores(e) /= root;

  // Step 1 was: scores = Q K^T. Both factors get a gradient.
  WritableTensor grad_q = Tensor::zeros(q.shape()), grad_k = Tensor::zeros(k.shape());
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_k; ++p) {
            grad_q(b, h, i, p) += grad_scores(b, h, i, j) * k(b, h, j, p);
            grad_k(b, h, j, p) += grad_scores(b, h, i, j) * q(b, h, i, p);
          }

  return {.q = grad_q, .k = grad_k, .v = grad_v};
}

}  // namespace plainformer
