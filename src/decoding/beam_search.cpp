#include "decoding/beam_search.h"

#include <algorithm>

#include "core/check.h"

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
  std::vector<Tensor> memories;
  for (const std::vector<int>& source : sources) memories.push_back(encode_source(model, source));

  std::vector<std::vector<int>> prefixes;  // the tokens of the live hypotheses
  const auto step = [&](std::span<const GrownHypothesis> hypotheses) {
    std::vector<std::vector<int>> grown;
    Tensor logits({std::ssize(hypotheses), 1, model.config().vocab});
    Real* row = logits.mutable_data();
    for (const auto& [sentence, parent, token] : hypotheses) {
      grown.push_back(parent == kNoParent ? std::vector<int>() : prefixes[parent]);
      grown.back().push_back(token);
      const Tensor next = next_logits(model, memories[sentence], grown.back());
      row = std::copy_n(next.data(), next.size(), row);
    }
    prefixes = std::move(grown);
    return logits;
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

Tensor encode_source(const Transformer& model, const std::vector<int>& source) {
  const Index longest = longest_source(model.config());
  CHECK(std::ssize(source) <= longest, "a source of ", source.size(), " tokens, and the model reads at most ",
        longest);
  return model.encode(TokenBatch::from(with_end({source})));
}

Index longest_source(const ModelConfig& config) {
  return config.max_length - 1;
}

Tensor next_logits(const Transformer& model, const Tensor& memory, const std::vector<int>& prefix) {
  const Index target_len = std::ssize(prefix), d_model = model.config().d_model;
  const Tensor output = model.decode(TokenBatch::from({prefix}), memory, {memory.dim(1)});
  CHECK_SHAPE(output, 1, target_len, d_model);

  // Only the newest position's prediction is new.
  Tensor newest({1, 1, d_model});
  std::copy_n(output.data() + (target_len - 1) * d_model, d_model, newest.mutable_data());
  return output_projection_forward(newest, model.embedding);
}

}  // namespace plainformer
