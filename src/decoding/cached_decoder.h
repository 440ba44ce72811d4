// Paper: 6.1 Machine Translation (the keys and values of earlier positions, kept)
//
// The next token of one translation, with kept keys and values: append, then attend to all that was appended.
//
// No position sees a later one (3.2.3), so the keys and values of a position never change. Each layer keeps
// them. A step computes the newest position only: its key and value join the kept ones, and its query attends
// to all of them. next_logits (beam_search.h) gets the same logits by computing all positions again; the fast
// way (fast/incremental_decoder.h) keeps keys and values for many hypotheses at once.
#pragma once

#include "decoding/beam.h"
#include "transformer/transformer.h"

namespace plainformer {

class CachedDecoder {
 public:
  // Refers to the model, which must outlive it.
  //   memory   [1, source_len, d_model]: the encoder's output for one sentence, without padding
  CachedDecoder(const Transformer& model, const Tensor& memory);

  // Appends a token to the translation, first of all <s>, and returns the logits of the next one.
  //   -> [1, 1, vocab]
  Tensor step(int token);

 private:
  struct KeysAndValues {  // the keys and values of one layer
    Tensor keys;          // [1, len, heads * d_k]
    Tensor values;        // [1, len, heads * d_v]
  };
  Tensor layer_forward(const DecoderLayer& layer, const Tensor& x, KeysAndValues& past,
                       const KeysAndValues& source) const;
  Tensor attend(const MultiHeadAttention& attention, const Tensor& query, const KeysAndValues& visible) const;

  const Transformer& model_;
  std::vector<KeysAndValues> past_;    // by layer: the translation so far
  std::vector<KeysAndValues> source_;  // by layer: the source
  Index position_ = 0;                 // the position of the next token
};

// A translation for each source, one sentence after the other: the most probable token at every position. A
// translation ends with </s>, which is the only choice at the output limit. Of equally probable tokens, the
// lower id wins. beam_search with a beam of 1 and length penalty 0 finds the same.
//   sources   token ids without </s>, each at most longest_source
std::vector<Hypothesis> greedy_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                      const SearchLimits& limits);

}  // namespace plainformer
