// The decoder of Figure 1 (right), one position at a time.
//
// The earlier positions of a hypothesis do not change, since no position sees a later one (3.2.3). So each
// step computes only the newest position. It multiplies all live hypotheses of all sentences by a weight
// matrix in one product, and takes the keys and values of earlier positions from a KeyValueCache. The keys
// and values of the encoder-decoder attention are computed once for a sentence. Up to rounding, the logits
// are those of next_logits (decoding/beam_search.h).
#pragma once

#include <vector>

#include "decoding/beam_search.h"
#include "decoding/fast/key_value_cache.h"
#include "ops/fast/matmul.h"
#include "transformer/transformer.h"

namespace plainformer {

// Packed copies of the decoder's matrices. All else is read from the model.
struct DecoderWeights {
  explicit DecoderWeights(const Transformer& model);

  struct Layer {
    explicit Layer(const DecoderLayer& layer);

    PreparedMatrix self_w_q, self_w_k, self_w_v, self_w_o;  // the masked self-attention
    PreparedMatrix source_w_q, source_w_o;                  // the encoder-decoder attention
    PreparedMatrix w_1, w_2;                                // the feed-forward network
  };
  std::vector<Layer> layers;
  PreparedMatrix vocabulary;  // [d_model, vocab]: the embeddings, transposed
};

class IncrementalDecoder {
 public:
  // Keeps references to the model and its weights, which must outlive it.
  //   sources   at least one; token ids without </s>
  IncrementalDecoder(const Transformer& model, const DecoderWeights& weights,
                     const std::vector<std::vector<int>>& sources);

  // A DecoderStep, for beam_search.
  Tensor step(std::span<const GrownHypothesis> hypotheses);

 private:
  struct SourceKeysAndValues {
    Tensor keys;    // [batch, heads * d_k, source_len]
    Tensor values;  // [batch, source_len, heads * d_v]
  };
  Tensor layer_forward(Index number, const Tensor& x);
  Tensor attend_to_source(Index number, const Tensor& q) const;

  const Transformer& model_;
  const DecoderWeights& weights_;
  std::vector<SourceKeysAndValues> source_;  // by layer
  std::vector<Index> source_lengths_;        // [batch]: tokens, </s> included
  std::vector<Index> source_positions_;      // 0 .. source_len - 1
  KeyValueCache cache_;
  Index position_ = 0;            // the position of the next token
  std::vector<Index> sentences_;  // [hypotheses]: the sentence that each live hypothesis translates
};

// Returns the translations of beam_search, up to rounding, by an IncrementalDecoder.
//   weights   of this model, prepared once for all batches
std::vector<Hypotheses> cached_beam_search(const Transformer& model, const DecoderWeights& weights,
                                           const std::vector<std::vector<int>>& sources,
                                           const SearchOptions& options);

}  // namespace plainformer
