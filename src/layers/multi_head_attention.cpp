#include "layers/multi_head_attention.h"

#include "ops/linear.h"
#include "ops/swap_axes.h"

namespace plainformer {

namespace {

// [batch, len, heads * d_k] -> [batch, heads, len, d_k]
Tensor split_heads(const Tensor& x, Index heads) {
  return swap_middle_axes(x.reshaped({x.dim(0), x.dim(1), heads, x.dim(2) / heads}));
}

// [batch, heads, len, d_k] -> [batch, len, heads * d_k]: Concat(head_1, ..., head_h)
Tensor merge_heads(const Tensor& x) {
  return swap_middle_axes(x).reshaped({x.dim(0), x.dim(2), x.dim(1) * x.dim(3)});
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(Index d_model, Index heads)
    : w_q(Tensor::zeros({d_model, d_model})),
      w_k(Tensor::zeros({d_model, d_model})),
      w_v(Tensor::zeros({d_model, d_model})),
      w_o(Tensor::zeros({d_model, d_model})),
      heads_(heads) {
  CHECK(heads > 0 && d_model % heads == 0, heads, " heads do not divide d_model ", d_model);
}

Tensor MultiHeadAttention::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                   const AttentionMask& mask, Cache& cache) const {
  const Index batch = mask.batch(), query_len = query.dim(1), key_len = key.dim(1),
              d_model = w_q.value.dim(0);
  CHECK_SHAPE(query, batch, query_len, d_model);
  CHECK_SHAPE(key, batch, key_len, d_model);
  CHECK_SHAPE(value, batch, key_len, d_model);
  cache.query_input = query;
  cache.key_input = key;
  cache.value_input = value;

  // Step 1. Project: q = Q W^Q, k = K W^K, v = V W^V, for all heads at once, and give each head its columns.
  const Tensor q = split_heads(linear_forward(query, w_q), heads_);  // [batch, heads, query_len, d_k]
  const Tensor k = split_heads(linear_forward(key, w_k), heads_);    // [batch, heads, key_len, d_k]
  const Tensor v = split_heads(linear_forward(value, w_v), heads_);  // [batch, heads, key_len, d_v]

  // Step 2. Attend in every head: head = Attention(q, k, v).
  const Tensor heads = scaled_dot_product_attention_forward(q, k, v, mask, cache.attention);

  // Step 3. Concatenate: concat = Concat(head_1, ..., head_h).
  cache.concat = merge_heads(heads);  // [batch, query_len, d_model]

  // Step 4. Project back: output = concat W^O.
  return linear_forward(cache.concat, w_o);
}

MultiHeadAttention::InputGradients MultiHeadAttention::backward(const Tensor& grad_output,
                                                                const Cache& cache) {
  // Step 4 was: output = concat W^O.
  const Tensor grad_concat = linear_backward(grad_output, cache.concat, w_o);

  // Step 3 was: concat = Concat(head_1, ..., head_h), so each head takes back its columns.
  const Tensor grad_heads = split_heads(grad_concat, heads_);

  // Step 2 was: head = Attention(q, k, v).
  const AttentionGradients grad = scaled_dot_product_attention_backward(grad_heads, cache.attention);

  // Step 1 was: q = Q W^Q, k = K W^K, v = V W^V.
  return {.query = linear_backward(merge_heads(grad.query), cache.query_input, w_q),
          .key = linear_backward(merge_heads(grad.key), cache.key_input, w_k),
          .value = linear_backward(merge_heads(grad.value), cache.value_input, w_v)};
}

void MultiHeadAttention::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w_q", &w_q});
  list.push_back({prefix + ".w_k", &w_k});
  list.push_back({prefix + ".w_v", &w_v});
  list.push_back({prefix + ".w_o", &w_o});
}

}  // namespace plainformer
