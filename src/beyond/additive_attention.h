// Paper: 3.2.1 Scaled Dot-Product Attention (the other score that it names: additive attention)
//
//   score(q, k) = tanh(q W_1 + k W_2) . v                                             (Bahdanau et al. 2015)
//
// a network with one hidden layer, then softmax and average as in equation (1). "While the two are similar in
// theoretical complexity, dot-product attention is much faster and more space-efficient in practice": here
// every pair of a query and a key has a hidden layer of its own, which no matrix product computes.
#pragma once

#include "core/parameter.h"
#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

class AdditiveAttention {
 public:
  struct Cache {
    Tensor query, key, value;              // the inputs; after attend alone, no key
    Tensor hidden;                         // [batch, query_len, key_len, d_hidden]
    Tensor weights;                        // [batch, query_len, key_len]; a row sums to 1, or is 0
    std::vector<Index> visible_keys = {};  // [batch, query_len]
  };

  // All weights start at 0.
  AdditiveAttention(Index d_model, Index d_hidden);

  // Masks as in attention_forward; one head.
  //   query [batch, query_len, d_model], key [batch, key_len, d_model], value [batch, key_len, d_v]
  //   -> output [batch, query_len, d_v]
  Tensor forward(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                 Cache& cache) const;

  // The two parts of forward, for a decoder that asks about the same keys at each of its positions: it projects them once.
  //   key [batch, key_len, d_model] -> k [batch, key_len, d_hidden]
  Tensor project_keys(const Tensor& key) const;
  Tensor attend(const Tensor& query, const Tensor& k, const Tensor& value, const AttentionMask& mask,
                Cache& cache) const;

  // The backward pass of attend: its member `key` is the gradient of k. Adds to the gradients of w_1 and v.
  AttentionGradients attend_backward(const Tensor& grad_output, const Cache& cache);
  // The backward pass of project_keys. Returns the gradient of key; adds to that of w_2.
  Tensor project_keys_backward(const Tensor& grad_k, const Tensor& key);

  // Returns the gradients of the inputs; adds to those of all parameters.
  //   grad_output [batch, query_len, d_v]
  AttentionGradients backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w_1, w_2;  // [d_model, d_hidden]
  Parameter v;         // [d_hidden]
};

}  // namespace plainformer
