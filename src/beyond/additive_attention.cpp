#include "beyond/additive_attention.h"

#include <cmath>
#include <numeric>

#include "core/check.h"
#include "core/operation_calls.h"
#include "core/writable_tensor.h"
#include "ops/linear.h"
#include "ops/softmax.h"

namespace plainformer {

namespace {

// The pairs of a query and a key that it sees.
std::int64_t scored_pairs(const std::vector<Index>& visible_keys) {
  return std::accumulate(visible_keys.begin(), visible_keys.end(), std::int64_t{0});
}

}  // namespace

AdditiveAttention::AdditiveAttention(Index d_model, Index d_hidden)
    : w_1(Tensor::zeros({d_model, d_hidden})),
      w_2(Tensor::zeros({d_model, d_hidden})),
      v(Tensor::zeros({d_hidden})) {}

Tensor AdditiveAttention::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                  const AttentionMask& mask, Cache& cache) const {
  const Tensor output = attend(query, project_keys(key), value, mask, cache);
  cache.key = key;
  return output;
}

AttentionGradients AdditiveAttention::backward(const Tensor& grad_output, const Cache& cache) {
  AttentionGradients grad = attend_backward(grad_output, cache);
  grad.key = project_keys_backward(grad.key, cache.key);
  return grad;
}

// Each key is projected once: k = key W_2.
Tensor AdditiveAttention::project_keys(const Tensor& key) const {
  const Index batch = key.dim(0), key_len = key.dim(1), d_model = w_2.value.dim(0);
  CHECK_SHAPE(key, batch, key_len, d_model);
  return linear_forward(key, w_2);
}

Tensor AdditiveAttention::project_keys_backward(const Tensor& grad_k, const Tensor& key) {
  return linear_backward(grad_k, key, w_2);
}

Tensor AdditiveAttention::attend(const Tensor& query, const Tensor& k, const Tensor& value,
                                 const AttentionMask& mask, Cache& cache) const {
  const Index batch = mask.batch(), query_len = query.dim(1), key_len = k.dim(1), d_v = value.dim(-1);
  const Index d_model = w_1.value.dim(0), d_hidden = v.value.dim(0);
  CHECK_SHAPE(query, batch, query_len, d_model);
  CHECK_SHAPE(k, batch, key_len, d_hidden);
  CHECK_SHAPE(value, batch, key_len, d_v);
  cache = {.query = query,
           .key = {},
           .value = value,
           .hidden = {},
           .weights = {},
           .visible_keys = mask.visible_keys_of_scores(/*heads=*/1, query_len, key_len)};
  count_operation(scored_pairs(cache.visible_keys) * (d_hidden + d_v));

  // Step 1. Project the queries: q = query W_1.
  const Tensor q = linear_forward(query, w_1);  // [batch, query_len, d_hidden]

  // Step 2. Score each visible pair: hidden = tanh(q + k), score = v . hidden.
  WritableTensor hidden = Tensor::zeros({batch, query_len, key_len, d_hidden});
  WritableTensor scores = Tensor::zeros({batch, query_len, key_len});
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < query_len; ++i)
      for (Index j = 0; j < mask.visible_keys(b, i); ++j)
        for (Index p = 0; p < d_hidden; ++p) {
          hidden(b, i, j, p) = std::tanh(q(b, i, p) + k(b, j, p));
          scores(b, i, j) += v.value(p) * hidden(b, i, j, p);
        }

  cache.hidden = hidden;

  // Step 3. SoftMax: weights = softmax(scores), each row over its visible keys.
  cache.weights = softmax_forward(scores, cache.visible_keys);

  // Step 4. MatMul: output = weights V, an average of the values.
  WritableTensor output = Tensor::zeros({batch, query_len, d_v});
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < query_len; ++i)
      for (Index j = 0; j < mask.visible_keys(b, i); ++j)
        for (Index p = 0; p < d_v; ++p) output(b, i, p) += cache.weights(b, i, j) * value(b, j, p);
  return output;
}

AttentionGradients AdditiveAttention::attend_backward(const Tensor& grad_output, const Cache& cache) {
  const Index batch = cache.weights.dim(0), query_len = cache.weights.dim(1), key_len = cache.weights.dim(2);
  const Index d_hidden = v.value.dim(0), d_v = cache.value.dim(2);
  CHECK_SHAPE(grad_output, batch, query_len, d_v);
  count_operation(scored_pairs(cache.visible_keys) * (d_hidden + 2 * d_v));

  // Step 4 was: output = weights V. Both factors get a gradient.
  WritableTensor grad_weights = Tensor::zeros(cache.weights.shape());
  WritableTensor grad_value = Tensor::zeros(cache.value.shape());
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < query_len; ++i)
      for (Index j = 0; j < cache.visible_keys[b * query_len + i]; ++j)
        for (Index p = 0; p < d_v; ++p) {
          grad_weights(b, i, j) += grad_output(b, i, p) * cache.value(b, j, p);
          grad_value(b, j, p) += cache.weights(b, i, j) * grad_output(b, i, p);
        }

  // Step 3 was: weights = softmax(scores), each row over its visible keys.
  const Tensor grad_scores = softmax_backward(grad_weights, cache.weights, cache.visible_keys);

  // Step 2 was: hidden = tanh(q + k), score = v . hidden; and tanh' = 1 - tanh^2. Both terms of the sum get
  // the same gradient.
  WritableTensor grad_q = Tensor::zeros({batch, query_len, d_hidden});
  WritableTensor grad_k = Tensor::zeros({batch, key_len, d_hidden});
  const TensorWriter grad_v(v.mutable_grad());
  for (Index b = 0; b < batch; ++b)
    for (Index i = 0; i < query_len; ++i)
      for (Index j = 0; j < cache.visible_keys[b * query_len + i]; ++j)
        for (Index p = 0; p < d_hidden; ++p) {
          const Real hidden = cache.hidden(b, i, j, p);
          const Real grad_sum = grad_scores(b, i, j) * v.value(p) * (1 - hidden * hidden);
          grad_v(p) += grad_scores(b, i, j) * hidden;
          grad_q(b, i, p) += grad_sum;
          grad_k(b, j, p) += grad_sum;
        }

  // Step 1 was: q = query W_1.
  return {.query = linear_backward(grad_q, cache.query, w_1), .key = grad_k, .value = grad_value};
}

void AdditiveAttention::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w_1", &w_1});
  list.push_back({prefix + ".w_2", &w_2});
  list.push_back({prefix + ".v", &v});
}

}  // namespace plainformer
