// Paper: 3.2.1 Scaled Dot-Product Attention (the other score that it names: additive attention)
//
//   score(q, k) = v^T tanh(W_1 q + W_2 k)                                             (Bahdanau et al. 2015)
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
    Tensor query, key, value;              // the inputs
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

  // Returns the gradients of the inputs; adds to those of all parameters.
  //   grad_output [batch, query_len, d_v]
  AttentionGradients backward(const Tensor& grad_output, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  Parameter w_1, w_2;  // [d_model, d_hidden]
  Parameter v;         // [d_hidden]
};

}  // namespace plainformer
