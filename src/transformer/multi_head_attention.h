// Paper: 3.2.2 Multi-Head Attention, Figure 2 (right)
//
//   MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O,  head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)
//
// The h matrices W_i^Q [d_model, d_k] stand side by side in one W^Q [d_model, heads * d_k]: head i is a block
// of columns, and one product projects for all heads. The same holds for W^K and W^V.
#pragma once

#include <variant>

#include "core/parameter.h"
#include "ops/fast/scaled_dot_product_attention.h"
#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

// [batch, len, heads * d_k] -> [batch, heads, len, d_k]: head h is the h-th block of d_k columns.
Tensor split_heads(const Tensor& x, Index heads);

// [batch, heads, len, d_v] -> [batch, len, heads * d_v]: the heads side by side. It undoes split_heads, so
// each of the two is the other's backward.
Tensor concatenate_heads(const Tensor& split);

class MultiHeadAttention {
 public:
  struct Cache {
    Tensor query_input;             // [batch, query_len, d_model]
    Tensor key_input, value_input;  // [batch, key_len, d_model]
    // The plain or the fast way's cache: backward goes the way of the forward pass.
    std::variant<AttentionCache, fast::AttentionCache> attention;
    Tensor concat;  // [batch, query_len, heads * d_v]: the heads' outputs side by side
  };
  struct InputGradients {
    Tensor query, key, value;  // shaped like the inputs
  };

  // All weights start at 0; the model initializes them.
  MultiHeadAttention(Index d_model, Index heads, Index d_k, Index d_v);

  // As in the paper's models: d_k = d_v = d_model / heads. heads divides d_model.
  MultiHeadAttention(Index d_model, Index heads);

  // query [batch, query_len, d_model], key and value [batch, key_len, d_model] -> [batch, query_len, d_model]
  // In self-attention all three are the same tensor. In encoder-decoder attention key and value are the
  // memory.
  Tensor forward(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                 Cache& cache) const;

  // Returns the gradients of the inputs; adds to those of all parameters.
  //   grad_output [batch, query_len, d_model]
  InputGradients backward(const Tensor& grad_output, const Cache& cache);

  // Attention in every head, without the projections: concat = Concat(head_1, ..., head_h) with head_i =
  // Attention(q_i, k_i, v_i). They are steps 2 to 4 of forward.
  //   q [batch, query_len, heads * d_k]
  //   k [batch, key_len, heads * d_k]
  //   v [batch, key_len, heads * d_v]    -> concat [batch, query_len, heads * d_v]
  Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionMask& mask,
                Cache& cache) const;

  // Returns the gradients of q, k and v.    grad_concat [batch, query_len, heads * d_v]
  AttentionGradients attend_backward(const Tensor& grad_concat, const Cache& cache) const;

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w_q, w_k;  // [d_model, heads * d_k]
  Parameter w_v;       // [d_model, heads * d_v]
  Parameter w_o;       // [heads * d_v, d_model]

 private:
  Index heads_;
};

}  // namespace plainformer
