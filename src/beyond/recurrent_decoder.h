// Paper: 2 Background ("sequence-aligned RNNs": the decoder of Bahdanau et al. 2015, a chain with attention)
//
//   s_0 = tanh(memory_0 W_s + b_s)                              memory_0: both chains' states at the first word
//   c_t = Attention(s_{t-1}, memory, memory)                    additive: v^T tanh(W_1 s_{t-1} + W_2 memory_j)
//   s_t = GatedRecurrentUnit([y_t, c_t], s_{t-1})               y_t: the embedding of the token before
//   output_t = tanh([s_t, c_t] W_o + b_o)                       (Luong, Pham, Manning 2015, equation 5)
//
// "In all but a few cases, however, such attention mechanisms are used in conjunction with a recurrent network": the
// attention shortens the way to a source word, but position t still waits for position t - 1.
#pragma once

#include "beyond/additive_attention.h"
#include "beyond/gated_recurrent_unit.h"

namespace plainformer {

class RecurrentDecoder {
 public:
  struct Sizes {
    Index d_model, d_state, d_attention;
  };
  // A source, as every position of the decoder asks for it.
  struct Source {
    Tensor memory;       // [batch, source_len, d_state]
    Tensor k;            // [batch, source_len, d_attention]: the memory's projection to keys
    AttentionMask mask;  // padding of the source
  };
  struct StepCache {
    AdditiveAttention::Cache attention;
    Tensor x;  // [batch, d_model + d_state]: y_t and c_t
    GatedRecurrentUnit::StepCache unit;
  };
  struct Cache {
    Source source;
    Tensor first, start;           // memory_0 and s_0 [batch, d_state]
    std::vector<StepCache> steps;  // [target_len]
    Tensor states_and_contexts;    // [batch, target_len, 2 d_state]
    Tensor output;                 // [batch, target_len, d_model]
  };
  struct StateAndContext {
    Tensor s, c;  // [batch, d_state]
  };
  struct Gradients {
    Tensor y;       // [batch, target_len, d_model]
    Tensor memory;  // [batch, source_len, d_state]
  };

  // All weights start at 0.
  explicit RecurrentDecoder(const Sizes& sizes);

  // y [batch, target_len, d_model], memory [batch, source_len, d_state] -> output [batch, target_len, d_model]
  Tensor forward(const Tensor& y, const Tensor& memory, const AttentionMask& source_mask, Cache& cache) const;

  // Adds to the gradients of all parameters.    grad_output [batch, target_len, d_model]
  Gradients backward(const Tensor& grad_output, const Cache& cache);

  // The parts of forward, for a decoder that writes one token after the other.    y_t [batch, d_model]
  Source read(const Tensor& memory, const AttentionMask& source_mask) const;
  Tensor start_forward(const Tensor& memory) const;  // s_0 [batch, d_state]
  StateAndContext step_forward(const Tensor& y_t, const Tensor& s, const Source& source,
                               StepCache& cache) const;
  Tensor output_forward(const Tensor& states_and_contexts) const;  // [..., 2 d_state] -> [..., d_model]

  void append_parameters(const std::string& prefix, ParameterList& list);

  AdditiveAttention attention;
  GatedRecurrentUnit unit;
  Parameter w_s, b_s;  // [d_state, d_state], [d_state]
  Parameter w_o, b_o;  // [2 d_state, d_model], [d_model]
};

}  // namespace plainformer
