#include "ops/scaled_dot_product_attention.h"

#include <cmath>

#include "core/check.h"
#include "core/operation_calls.h"
#include "core/writable_tensor.h"
#include "ops/fast/fast.h"
#include "ops/heads.h"
#include "ops/softmax.h"

namespace plainformer {

namespace {

// sqrt(d_k). The dot product of two d_k-vectors with independent components of mean 0 and variance 1 has
// variance d_k. Divided by sqrt(d_k), it has variance 1 again, and the gradient of the softmax does not
// vanish (footnote 4 of the paper).
Real root_of(Index d_k) {
  return std::sqrt(static_cast<Real>(d_k));
}

}  // namespace

Tensor attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                         const AttentionMask& mask, Index heads, AttentionCache& cache,
                         const AttentionWeightsHook& hook) {
  check_attention(query, key, value, mask, heads);
  if (ways.attention == Way::kFast)
    return fast::attention_forward(query, key, value, mask, heads, cache, hook);

  const Index batch = query.dim(0), query_len = query.dim(1), d_k = query.dim(2) / heads;
  const Index key_len = key.dim(1), d_v = value.dim(2) / heads;
  count_operation(std::int64_t{batch} * heads * query_len * key_len * (d_k + d_v));

  // Split the heads. The cache keeps them, and the way, for the backward pass.
  cache = {.way = Way::kPlain,
           .query = split_heads(query, heads),
           .key = split_heads(key, heads),
           .value = split_heads(value, heads),
           .heads = heads,
           .hook = hook};
  const Tensor &q = cache.query, &k = cache.key;  // [batch, heads, len, d_k]
  const Tensor& v = cache.value;                  // [batch, heads, key_len, d_v]

  // Step 1. MatMul: scores = Q K^T, one dot product for each pair of a query and a key.
  WritableTensor scores = Tensor::zeros({batch, heads, query_len, key_len});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_k; ++p) scores(b, h, i, j) += q(b, h, i, p) * k(b, h, j, p);

  // Step 2. Scale: scores = scores / sqrt(d_k).
  for (Index e = 0; e < scores.size(); ++e) scores(e) /= root_of(d_k);

  // Step 3. Mask: a query sees only a prefix of the keys. The others get weight exactly 0.
  cache.visible_keys = mask.visible_keys_of_scores(heads, query_len, key_len);

  // Step 4. SoftMax: weights = softmax(scores), each row over its visible keys.
  cache.weights = softmax_forward(scores, cache.visible_keys);
  const Tensor weights = hook ? hook.forward(cache.weights) : cache.weights;

  // Step 5. MatMul: output = weights V, an average of the values.
  WritableTensor output = Tensor::zeros({batch, heads, query_len, d_v});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < query_len; ++i)
        for (Index j = 0; j < key_len; ++j)
          for (Index p = 0; p < d_v; ++p) output(b, h, i, p) += weights(b, h, i, j) * v(b, h, j, p);

  // Concatenate the heads.
  return concatenate_heads(output);
}

namespace {

// What the forward pass left out of a plain cache would else show as a wrong shape somewhere else.
void check_plain_cache(const AttentionCache& cache) {
  const Index batch = cache.query.dim(0), heads = cache.query.dim(1), query_len = cache.query.dim(2);
  const Index key_len = cache.key.dim(2), rows = batch * heads * query_len;
  CHECK(cache.heads == heads, "attention_forward left ", cache.heads, " in cache.heads, and cache.query has ",
        heads);
  CHECK(std::ssize(cache.visible_keys) == rows, "attention_forward left ", cache.visible_keys.size(),
        " counts in cache.visible_keys, for ", rows, " rows of scores");
  CHECK_SHAPE(cache.weights, batch, heads, query_len, key_len);
}

void check_gradient(const Tensor& grad_output, const AttentionCache& cache) {
  const bool is_plain = cache.way == Way::kPlain;
  const int axes = cache.query.rank();
  CHECK(axes == (is_plain ? 4 : 3), "attention_forward left ", is_plain ? "kPlain" : "kFast",
        " in cache.way beside a cache.query of ", axes,
        " axes. kPlain keeps the split heads, of 4 axes, and kFast the argument, of 3");
  if (is_plain) check_plain_cache(cache);
  const Index batch = cache.query.dim(0), query_len = cache.query.dim(is_plain ? 2 : 1);
  const Index width = is_plain ? cache.heads * cache.value.dim(3) : cache.value.dim(2);
  CHECK_SHAPE(grad_output, batch, query_len, width);
}

}  // namespace

AttentionGradients attention_backward(const Tensor& grad_concatenated, const AttentionCache& cache) {
  check_gradient(grad_concatenated, cache);
  if (cache.way == Way::kFast) return fast::attention_backward(grad_concatenated, cache);

  const Index batch = cache.query.dim(0), heads = cache.query.dim(1), query_len = cache.query.dim(2);
  const Index d_k = cache.query.dim(3), key_len = cache.key.dim(2), d_v = cache.value.dim(3);
  count_operation(2 * std::int64_t{batch} * heads * query_len * key_len * (d_k + d_v));

  const Tensor &q = cache.query, &k = cache.key, &v = cache.value;

  // The heads were concatenated: split the gradient.
  const Tensor grad_output = split_heads(grad_concatenated, heads);  // [batch, heads, query_len, d_v]

  // Step 5 was: output = weights V. Both factors get a gradient.
  const Tensor weights = cache.hook ? cache.hook.forward(cache.weights) : cache.weights;
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
  const Tensor grad_softmax = cache.hook ? cache.hook.backward(grad_weights, cache.weights) : grad_weights;
  WritableTensor grad_scores = softmax_backward(grad_softmax, cache.weights, cache.visible_keys);

  // Step 2 was: scores = scores / sqrt(d_k).
  for (Index e = 0; e < grad_scores.size(); ++e) grad_scores(e) /= root_of(d_k);

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

  // The heads were split: concatenate the gradients.
  return {.query = concatenate_heads(grad_q),
          .key = concatenate_heads(grad_k),
          .value = concatenate_heads(grad_v)};
}

void check_attention(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                     Index heads) {
  const Index batch = mask.batch(), query_len = query.dim(1), key_len = key.dim(1);
  CHECK(heads > 0 && query.dim(-1) % heads == 0 && value.dim(-1) % heads == 0, heads, " heads of query ",
        query.shape().to_string(), " and value ", value.shape().to_string());
  const Index d_k = query.dim(-1) / heads, d_v = value.dim(-1) / heads;
  CHECK_SHAPE(query, batch, query_len, heads * d_k);
  CHECK_SHAPE(key, batch, key_len, heads * d_k);
  CHECK_SHAPE(value, batch, key_len, heads * d_v);
  for (const Index key_length : mask.key_lengths)
    CHECK(key_length >= 0 && key_length <= key_len, "key length ", key_length, " of ", key_len);
}

}  // namespace plainformer
