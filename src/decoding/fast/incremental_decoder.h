// The decoder of Figure 1 (right), one position at a time.
//
// Positions that a hypothesis has passed do not change any more, since no position sees a later one (3.2.3).
// So each step computes the newest position only, for all live hypotheses of all sentences in one product per
// weight matrix, and looks up the keys and values of what came before in a KeyValueCache. The encoder-decoder
// attention's keys and values are projected once for a sentence. Up to rounding, the logits are those of
// next_logits (plain_decoder).
#pragma once

#include "decoding/fast/decoder_weights.h"
#include "decoding/encoded_sources.h"
#include "decoding/fast/key_value_cache.h"

namespace plainformer {

class IncrementalDecoder {
 public:
  // Keeps references: all three must outlive it.
  //   weights   the model's
  IncrementalDecoder(const Transformer& model, const DecoderWeights& weights, const EncodedSources& encoded);

  // Appends a token to each hypothesis (at the first step: <s>, without a parent) and returns the logits of
  // the next one. Hypotheses that nobody extends are dropped.
  //   hypotheses   the sentences in ascending order    -> [hypotheses, 1, vocab]
  Tensor step(std::span<const Extension> hypotheses);

 private:
  struct SourceKeysAndValues {
    Tensor keys;    // [batch, d_model, source_len]
    Tensor values;  // [batch, source_len, d_model]
  };
  Tensor embed(std::span<const Extension> hypotheses) const;
  Tensor layer_forward(Index number, const Tensor& x);
  Tensor attend_to_past(Index number, const Tensor& x);
  Tensor attend_to_source(Index number, const Tensor& y) const;

  Tensor feed_forward(Index number, const Tensor& z) const;

  const Transformer& model_;
  const DecoderWeights& weights_;
  const EncodedSources& encoded_;
  std::vector<SourceKeysAndValues> source_;  // by layer
  std::vector<Index> source_positions_;      // 0 .. source_len - 1
  KeyValueCache cache_;
  Index position_ = 0;            // of the newest token
  std::vector<Index> sentences_;  // [hypotheses]: whose source each live hypothesis translates
};

}  // namespace plainformer
