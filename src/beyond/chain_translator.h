// Paper: 1 Introduction ("recurrent language models and encoder-decoder architectures")
//
// A translator of two chains without attention (Cho et al. 2014; Sutskever et al. 2014):
//
//   h_j = GatedRecurrentUnit(x_j, h_{j-1}), h_{-1} = 0            the reader; x_j: the embedding of source token j
//   s_t = GatedRecurrentUnit(y_t, s_{t-1}), s_{-1} = h_{last}     the writer; y_t: the embedding of the token before
//   output_t = tanh(s_t W_o + b_o)
//
// The reader's last state is all that the writer gets of the source: as many numbers for a long sentence as for a short
// one. RecurrentTranslator differs in its attention, and reads both ways.
#pragma once

#include "beyond/gated_recurrent_unit.h"
#include "transformer/dropout_state.h"
#include "transformer/token_batch.h"

namespace plainformer {

class ChainTranslator {
 public:
  struct Sizes {
    Index vocab = 0, d_model = 128, d_state = 264;
  };
  struct Cache {
    TokenBatch source, target_input;
    DropoutState dropout;
    GatedRecurrentUnit::Cache reader, writer;
    Tensor states;  // [batch, target_len, d_state]: every s_t
    Tensor output;  // [batch, target_len, d_model]
  };

  // The weights are those of `initialize`.
  ChainTranslator(const Sizes& sizes, std::uint64_t seed);

  // Transformer::forward has this contract, too. Dropout acts on both inputs and on the output (Zaremba et al. 2014).
  //   source [batch, source_len], target_input [batch, target_len] -> decoder_output [batch, target_len, d_model]
  Tensor forward(const TokenBatch& source, const TokenBatch& target_input, const DropoutState& dropout,
                 Cache& cache) const;

  // Adds to the gradients of all parameters.    grad_decoder_output [batch, target_len, d_model]
  void backward(const Tensor& grad_decoder_output, const Cache& cache);

  // All parameters, in a fixed order. Valid until this object is moved.
  ParameterList parameters();

  // One position of the writer, for one that writes token after token.    states [..., d_state] -> [..., d_model]
  Tensor output_forward(const Tensor& states) const;

  Parameter embedding;  // [vocab, d_model]
  GatedRecurrentUnit reader, writer;
  Parameter w_o, b_o;  // [d_state, d_model], [d_model]
};

}  // namespace plainformer
