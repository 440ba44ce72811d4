// Attention whose scores are cosines: beside the paper, not in it.
//
//   score(q, k) = g (q . k) / (|q| |k|)
//
// The lengths of the vectors no longer count, only their directions, and no score exceeds g. Without the
// factor g the scores would lie between -1 and 1, and no weight could be more than e^2 times another. Graves
// et al. 2014 (Neural Turing Machines, equations 5 and 6) address a memory so, with g computed anew for each
// query. Henry et al. 2020 (Query-Key Normalization) train one number g in place of 1/sqrt(d_k), as here.
#pragma once

#include "core/parameter.h"
#include "ops/scaled_dot_product_attention.h"

namespace plainformer {

class CosineAttention {
 public:
  struct Cache {
    Tensor query, key;                  // [batch, len, heads * d_k]: unit vectors in each head
    Tensor query_lengths, key_lengths;  // [batch * len * heads]: the lengths they had
    AttentionCache attention;
  };

  explicit CosineAttention(Real initial_scale);

  // Arguments and masks as in attention_forward. A vector of length 0 has the cosine 0 with all others.
  Tensor forward(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionMask& mask,
                 Index heads, Cache& cache) const;

  // Returns the gradients of the inputs; adds to that of the scale.
  //   grad_output [batch, query_len, heads * d_v]
  AttentionGradients backward(const Tensor& grad_output, const Cache& cache);

  Parameter scale;  // [1], g
};

}  // namespace plainformer
