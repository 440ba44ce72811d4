// The matrices of each decoding step, prepared once for all steps of all batches.
#pragma once

#include <vector>

#include "ops/fast/prepared_matrix.h"
#include "transformer/transformer.h"

namespace plainformer {

// Copies the weights: the model may change or disappear afterwards.
struct DecoderWeights {
  explicit DecoderWeights(const Transformer& model);

  struct Layer {
    explicit Layer(const DecoderLayer& layer);

    PreparedMatrix self_w_q, self_w_k, self_w_v, self_w_o;  // of the masked self-attention
    PreparedMatrix source_w_q, source_w_o;                  // of the encoder-decoder attention
    PreparedMatrix w_1, w_2;                                // of the feed-forward network
  };
  std::vector<Layer> layers;
  PreparedMatrix vocabulary;  // [d_model, vocab]: the embeddings, transposed
};

}  // namespace plainformer
