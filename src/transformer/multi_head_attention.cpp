#include "transformer/multi_head_attention.h"

#include "core/check.h"
#include "core/writable_tensor.h"
#include "ops/linear.h"
#include "ops/ways.h"

namespace plainformer {

namespace {

// The columns of one head, if all heads share them alike.
Index share_of(Index columns, Index heads) {
  CHECK(heads > 0 && columns % heads == 0, heads, " heads do not divide ", columns, " columns");
  return columns / heads;
}

}  // namespace

Tensor split_heads(const Tensor& x, Index heads) {
  const Index batch = x.dim(0), len = x.dim(1), d_k = share_of(x.dim(2), heads);
  WritableTensor split({batch, heads, len, d_k});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < len; ++i)
        for (Index p = 0; p < d_k; ++p) split(b, h, i, p) = x(b, i, h * d_k + p);
  return split;
}

Tensor concatenate_heads(const Tensor& split) {
  const Index batch = split.dim(0), heads = split.dim(1), len = split.dim(2), d_v = split.dim(3);
  WritableTensor concat({batch, len, heads * d_v});
  for (Index b = 0; b < batch; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index i = 0; i < len; ++i)
        for (Index p = 0; p < d_v; ++p) concat(b, i, h * d_v + p) = split(b, h, i, p);
  return concat;
}

MultiHeadAttention::MultiHeadAttention(Index d_model, Index heads, Index d_k, Index d_v)
    : w_q(Tensor::zeros({d_model, heads * d_k})),
      w_k(Tensor::zeros({d_model, heads * d_k})),
      w_v(Tensor::zeros({d_model, heads * d_v})),
      w_o(Tensor::zeros({heads * d_v, d_model})),
      heads_(heads) {}

MultiHeadAttention::MultiHeadAttention(Index d_model, Index heads)
    : MultiHeadAttention(d_model, heads, share_of(d_model, heads), share_of(d_model, heads)) {}

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

  // Step 1. Project: q = Q W^Q, k = K W^K, v = V W^V, for all heads at once.
  const Tensor q = linear_forward(query, w_q);  // [batch, query_len, heads * d_k]
  const Tensor k = linear_forward(key, w_k);    // [batch, key_len, heads * d_k]
  const Tensor v = linear_forward(value, w_v);  // [batch, key_len, heads * d_v]

  // Steps 2 to 4. Split, attend in every head, concatenate: concat = Concat(head_1, ..., head_h).
  cache.concat = attend(q, k, v, mask, cache);  // [batch, query_len, heads * d_v]

  // Step 5. Project back: output = concat W^O.
  return linear_forward(cache.concat, w_o);
}

MultiHeadAttention::InputGradients MultiHeadAttention::backward(const Tensor& grad_output,
                                                                const Cache& cache) {
  const Index batch = cache.concat.dim(0), query_len = cache.concat.dim(1), d_model = w_q.value.dim(0);
  CHECK_SHAPE(grad_output, batch, query_len, d_model);

  // Step 5 was: output = concat W^O.
  const Tensor grad_concat = linear_backward(grad_output, cache.concat, w_o);

  // Steps 4 to 2 were: concat = Concat(head_1, ..., head_h), head_i = Attention(q_i, k_i, v_i).
  const AttentionGradients grad = attend_backward(grad_concat, cache);

  // Step 1 was: q = Q W^Q, k = K W^K, v = V W^V.
  return {.query = linear_backward(grad.q, cache.query_input, w_q),
          .key = linear_backward(grad.k, cache.key_input, w_k),
          .value = linear_backward(grad.v, cache.value_input, w_v)};
}

Tensor MultiHeadAttention::attend(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const AttentionMask& mask, Cache& cache) const {
  // The engine computes steps 2 to 4 at once, on the columns of the heads where they are.
  if (ways.attention == Way::kFast)
    return fast::attention_forward(q, k, v, mask, heads_, cache.attention.emplace<fast::AttentionCache>());

  // Step 2. Split: head i has the i-th block of columns of q, k and v.
  const Tensor q_heads = split_heads(q, heads_);  // [batch, heads, query_len, d_k]
  const Tensor k_heads = split_heads(k, heads_);  // [batch, heads, key_len, d_k]
  const Tensor v_heads = split_heads(v, heads_);  // [batch, heads, key_len, d_v]

  // Step 3. Attend in each head: head_i = Attention(q_i, k_i, v_i), equation (1).
  AttentionCache& kept = cache.attention.emplace<AttentionCache>();
  const Tensor head_outputs = attention_forward(q_heads, k_heads, v_heads, mask, kept);

  // Step 4. Concatenate: concat = Concat(head_1, ..., head_h).
  return concatenate_heads(head_outputs);  // [batch, query_len, heads * d_v]
}

AttentionGradients MultiHeadAttention::attend_backward(const Tensor& grad_concat, const Cache& cache) const {
  if (const auto* kept = std::get_if<fast::AttentionCache>(&cache.attention))
    return fast::attention_backward(grad_concat, *kept);

  // Step 4 was: concat = Concat(head_1, ..., head_h).
  const Tensor grad_head_outputs = split_heads(grad_concat, heads_);  // [batch, heads, query_len, d_v]

  // Step 3 was: head_i = Attention(q_i, k_i, v_i).
  const AttentionGradients grad =
      attention_backward(grad_head_outputs, std::get<AttentionCache>(cache.attention));

  // Step 2 was: head i had the i-th block of columns of q, k and v.
  return {.q = concatenate_heads(grad.q), .k = concatenate_heads(grad.k), .v = concatenate_heads(grad.v)};
}

void MultiHeadAttention::append_parameters(const std::string& prefix, ParameterList& list) {
  list.push_back({prefix + ".w_q", &w_q});
  list.push_back({prefix + ".w_k", &w_k});
  list.push_back({prefix + ".w_v", &w_v});
  list.push_back({prefix + ".w_o", &w_o});
}

}  // namespace plainformer
