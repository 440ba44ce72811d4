// Paper: 2 Background ("sequence-aligned RNNs": the bidirectional encoder of Bahdanau et al. 2015)
//
//   memory_j = [forward_j, backward_j]
//
// One chain reads the sentence from its first word, another from its last. Their states at a word, beside each other,
// know the words before it and the words after it.
#pragma once

#include "beyond/gated_recurrent_unit.h"

namespace plainformer {

class RecurrentEncoder {
 public:
  struct Cache {
    std::vector<Index> lengths;  // [batch]
    GatedRecurrentUnit::Cache forward, backward;
  };

  // All weights start at 0.    d_state even: half of it for each direction
  RecurrentEncoder(Index d_model, Index d_state);

  // x [batch, source_len, d_model], lengths [batch] -> memory [batch, source_len, d_state]; padding has no influence
  // on words.
  Tensor forward(const Tensor& x, const std::vector<Index>& lengths, Cache& cache) const;

  // Returns grad_x; adds to the gradients of all parameters.    grad_memory [batch, source_len, d_state]
  Tensor backward(const Tensor& grad_memory, const Cache& cache);

  void append_parameters(const std::string& prefix, ParameterList& list);

  GatedRecurrentUnit forward_unit, backward_unit;
};

}  // namespace plainformer
