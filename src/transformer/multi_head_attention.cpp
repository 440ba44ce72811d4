#include "transformer/multi_head_attention.h"

#include "core/check.h"
#include "ops/linear.h"

namespace plainformer {

namespace {

// The columns of one head, if all heads share d_model alike.
Index share_of(Index d_model, Index heads) {
  CHECK(heads > 0 && d_model % heads == 0, heads, " heads do not divide d_model ", d_model);
  return d_model / heads;
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(Index d_model, Index heads, Index d_k, Index d_v)
    : w_q(Tensor::zeros({d_model, heads * d_k})),
      w_k(Tensor::zeros({d_model, heads * d_k})),
      w_v(Tensor::zeros({d_model, heads * d_v})),
      w_o(Tensor::zeros({heads * d_v, d_model})),
      heads_(heads) {}

MultiHeadAttention::MultiHeadAttention(Index d_model, Index heads)
    : MultiHeadAttention(d_model, heads, share_of(d_model, heads), share_of(d_model, heads)) {}

Tensor MultiHeadAttention::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                   const AttentionMask& mask, Cache& cache,
                                   const AttentionWeightsHook& hook) const {
  const Index batch = mask.batch(), query_len = query.dim(1), key_len = key.dim(1),
              d_model = w_q.value.dim(0);
  CHECK_SHAPE(query, batch, query_len, d_model);
  CHECK_SHAPE(key, batch, key_len, d_model);
  CHECK_SHAPE(value, batch, key_len, d_model);
  cache.query_input = query;
  cache.key_input = key;
  cache.value_input = value;

  // Step 1. Project: q = Q W^Q, k = K W^K, v = V W^V, for all heads at once.
  const Tensor q = linear_forward(query, w_q);  // [batch, query_len, heads * d_k]
  const Tensor k = linear_forward(key, w_k);    // [batch, key_len, heads * d_k]
  const Tensor v = linear_forward(value, w_v);  // [batch, key_len, heads * d_v]

  // Step 2. Split into heads, attend in each, and concatenate the heads:
  // concat = Concat(head_1, ..., head_h), head_i = Attention(q_i, k_i, v_i). attention_forward does all three
  // (ops/heads splits and concatenates).
  cache.concat =
      attention_forward(q, k, v, mask, heads_, cache.attention, hook);  // [batch, query_len, heads * d_v]

  // Step 3. Project back: output = concat W^O.
  return linear_forward(cache.concat, w_o);
}

MultiHeadAttention::InputGradients MultiHeadAttention::backward(const Tensor& grad_output,
                                                                const Cache& cache) {
  const Index batch = cache.concat.dim(0), query_len = cache.concat.dim(1), d_model = w_q.value.dim(0);
  CHECK_SHAPE(grad_output, batch, query_len, d_model);

  // Step 3 was: output = concat W^O.
  const Tensor grad_concat = linear_backward(grad_output, cache.concat, w_o);

  // Step 2 was: concat = Concat(head_1, ..., head_h), head_i = Attention(q_i, k_i, v_i).
  const AttentionGradients grad = attention_backward(grad_concat, cache.attention);

  // Step 1 was: q = Q W^Q, k = K W^K, v = V W^V.
  return {.query = linear_backward(grad.query, cache.query_input, w_q),
          .key = linear_backward(grad.key, cache.key_input, w_k),
          .value = linear_backward(grad.value, cache.value_input, w_v)};
}

void MultiHeadAttention::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w_q", &w_q});
  list.push_back({prefix + ".w_k", &w_k});
  list.push_back({prefix + ".w_v", &w_v});
  list.push_back({prefix + ".w_o", &w_o});
}

}  // namespace plainformer
