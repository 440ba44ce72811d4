// Paper: 2 Background ("sequence-aligned RNNs")
//
// The translator that the Transformer replaced (Bahdanau et al. 2015): embeddings, a bidirectional recurrent encoder,
// and a recurrent decoder with additive attention.
//
// As in the Transformer, one embedding matrix serves the source, the target and the output projection, so that the
// same loss and the same loop train both. Positions are not added: the chain counts them itself.
#pragma once

#include "beyond/recurrent_decoder.h"
#include "beyond/recurrent_encoder.h"
#include "transformer/dropout_state.h"
#include "transformer/token_batch.h"

namespace plainformer {

class RecurrentTranslator {
 public:
  struct Sizes {
    Index vocab = 0, d_model = 128, d_state = 208, d_attention = 160;
  };
  struct Cache {
    TokenBatch source, target_input;
    DropoutState dropout;
    RecurrentEncoder::Cache encoder;
    RecurrentDecoder::Cache decoder;
  };

  // The weights are those of `initialize`.
  RecurrentTranslator(const Sizes& sizes, std::uint64_t seed);

  // Transformer::forward has this contract, too. Dropout acts on both inputs and on the output (Zaremba et al. 2014).
  //   source [batch, source_len], target_input [batch, target_len] -> decoder_output [batch, target_len, d_model]
  Tensor forward(const TokenBatch& source, const TokenBatch& target_input, const DropoutState& dropout,
                 Cache& cache) const;

  // Adds to the gradients of all parameters.    grad_decoder_output [batch, target_len, d_model]
  void backward(const Tensor& grad_decoder_output, const Cache& cache);

  // All parameters, in a fixed order. Valid until this object is moved.
  ParameterList parameters();

  Parameter embedding;  // [vocab, d_model]
  RecurrentEncoder encoder;
  RecurrentDecoder decoder;
};

}  // namespace plainformer
