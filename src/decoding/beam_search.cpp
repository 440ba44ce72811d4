#include "decoding/beam_search.h"

#include <algorithm>

#include "core/check.h"
#include "decoding/beam.h"

namespace plainformer {

std::vector<Hypotheses> beam_search(const DecoderStep& decoder_step, const std::vector<Index>& output_limits,
                                    const SearchOptions& options) {
  // Step 1. Start each translation with <s>.
  std::vector<Beam> beams;
  std::vector<GrownHypothesis> hypotheses;
  for (Index sentence = 0; sentence < std::ssize(output_limits); ++sentence) {
    beams.emplace_back(options, output_limits[sentence]);
    hypotheses.push_back({.sentence = sentence, .parent = kNoParent, .token = kStartId});
  }

  while (!hypotheses.empty()) {
    // Step 2. Predict the next token of each live hypothesis of each sentence.
    const NextTokens next = next_tokens(decoder_step(hypotheses), options.beam, options.limits.first_token());

    // Step 3. Let each sentence choose among its continuations.
    hypotheses.clear();
    Index first_row = 0;
    for (Index sentence = 0; sentence < std::ssize(beams); ++sentence) {
      Beam& beam = beams[sentence];
      if (beam.done()) continue;
      const Index rows = std::ssize(beam.live());
      beam.advance(next, first_row);
      for (const Beam::LiveHypothesis& hypothesis : beam.live())
        hypotheses.push_back({sentence, first_row + hypothesis.parent, hypothesis.tokens.back()});
      first_row += rows;
    }
  }

  std::vector<Hypotheses> translations;
  for (const Beam& beam : beams) translations.push_back(beam.finished());
  return translations;
}

std::vector<Hypotheses> beam_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                    const SearchOptions& options) {
  options.check("beam search: ");
  if (sources.empty()) return {};
  const EncodedSources encoded = encode_sources(model, sources);
  std::vector<std::vector<int>> prefixes;  // of the live hypotheses
  const auto step = [&](std::span<const GrownHypothesis> hypotheses) {
    std::vector<std::vector<int>> grown;
    std::vector<Index> sentences;
    for (const auto& [sentence, parent, token] : hypotheses) {
      grown.push_back(parent == kNoParent ? std::vector<int>() : prefixes[parent]);
      grown.back().push_back(token);
      sentences.push_back(sentence);
    }
    prefixes = std::move(grown);
    return next_logits(model, encoded, prefixes, sentences);
  };
  return beam_search(step, output_limits(model, sources, options.limits), options);
}

std::vector<Index> output_limits(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                 const SearchLimits& limits) {
  std::vector<Index> most;
  for (const std::vector<int>& source : sources)
    most.push_back(limits.output_limit(std::ssize(source), model.config().max_length));
  return most;
}

EncodedSources encode_sources(const Transformer& model, const std::vector<std::vector<int>>& sources) {
  CHECK(!sources.empty(), "nothing to encode");
  const Index longest = longest_source(model.config());
  for (const std::vector<int>& source : sources)
    CHECK(std::ssize(source) <= longest, "a source of ", source.size(),
          " tokens, and the model reads at most ", longest);
  const TokenBatch tokens = TokenBatch::from(with_end(sources));
  return {.memory = model.encode(tokens), .lengths = tokens.lengths};
}

Index longest_source(const ModelConfig& config) {
  return config.max_length - 1;
}

namespace {

// The elements with these indices, in this order; an index may occur more than once.
EncodedSources select(const EncodedSources& encoded, std::span<const Index> elements) {
  const Index source_len = encoded.memory.dim(1), d_model = encoded.memory.dim(2);
  EncodedSources selected = {.memory = Tensor({std::ssize(elements), source_len, d_model}), .lengths = {}};
  Real* to = selected.memory.mutable_data();
  for (const Index element : elements) {
    selected.lengths.push_back(encoded.lengths[element]);
    to = std::copy_n(encoded.memory.data() + element * source_len * d_model, source_len * d_model, to);
  }
  return selected;
}

}  // namespace

Tensor next_logits(const Transformer& model, const EncodedSources& encoded,
                   const std::vector<std::vector<int>>& prefixes, std::span<const Index> sentences) {
  const EncodedSources selected = select(encoded, sentences);
  const TokenBatch target_input = TokenBatch::from(prefixes);
  const Index rows = target_input.batch, target_len = target_input.len, d_model = model.config().d_model;
  const Tensor output = model.decode(target_input, selected.memory, selected.lengths);
  CHECK_SHAPE(output, rows, target_len, d_model);

  // Only the newest position's prediction is new.
  Tensor newest({rows, 1, d_model});
  Real* to = newest.mutable_data();
  for (Index row = 0; row < rows; ++row) {
    CHECK(target_input.lengths[row] == target_len, "prefixes of different lengths");
    to = std::copy_n(output.data() + ((row + 1) * target_len - 1) * d_model, d_model, to);
  }
  return output_projection_forward(newest, model.embedding);
}

}  // namespace plainformer
