// Paper: 6.1 Machine Translation (beam search)
//
// The loop of beam search over any decoder: the plain one, which reads the whole prefix of every hypothesis
// again at every step, or the fast one, which keeps keys and values (fast/incremental_decoder.h).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "decoding/beam.h"
#include "transformer/transformer.h"

namespace plainformer {

// A hypothesis of the previous step, grown by one token.
struct GrownHypothesis {
  Index sentence;
  Index parent;  // the index of the hypothesis that it grew from; kNoParent at the first step
  int token;
};
inline constexpr Index kNoParent = -1;

// Appends a token to each hypothesis (at the first step: <s>, without a parent) and returns the logits of the
// next one. Hypotheses that do not grow are dropped.
//   hypotheses   the sentences in ascending order    -> [hypotheses, 1, vocab]
using DecoderStep = std::function<Tensor(std::span<const GrownHypothesis> hypotheses)>;

// The n_best translations of each sentence, without <s> and </s>.
//   output_limits   by sentence: the most tokens of a translation
std::vector<Hypotheses> beam_search(const DecoderStep& decoder_step, const std::vector<Index>& output_limits,
                                    const SearchOptions& options);

// The plain beam search: it reads one prefix after the other.
//   sources   token ids without </s>, each at most longest_source
std::vector<Hypotheses> beam_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                    const SearchOptions& options);

// The most tokens that the translation of each source may have.
std::vector<Index> output_limits(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                 const SearchLimits& limits);

// The encoder's output for one sentence; the source is read with </s>.    -> [1, source_len, d_model]
// A source longer than longest_source is a programmer's error (CHECK).
Tensor encode_source(const Transformer& model, const std::vector<int>& source);

// The most tokens that a source may have, without </s>.
Index longest_source(const ModelConfig& config);

// The logits of the token after a prefix: step t computes all t positions again. The tests compare the
// decoders that keep keys and values with it.    -> [1, 1, vocab]
//   memory   [1, source_len, d_model]: the encoder's output for the sentence
//   prefix   <s> and the tokens so far
Tensor next_logits(const Transformer& model, const Tensor& memory, const std::vector<int>& prefix);

}  // namespace plainformer
