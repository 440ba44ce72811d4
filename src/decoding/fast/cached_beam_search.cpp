#include "decoding/fast/cached_beam_search.h"

#include "core/special_symbols.h"
#include "decoding/beam.h"
#include "decoding/fast/incremental_decoder.h"

namespace plainformer {

std::vector<Hypotheses> cached_beam_search(const Transformer& model, const DecoderWeights& weights,
                                           const std::vector<std::vector<int>>& sources,
                                           const SearchOptions& options) {
  options.check("beam search: ");
  if (sources.empty()) return {};

  // Step 1. Encode the sources, and start each translation with <s>.
  const EncodedSources encoded = encode_sources(model, sources);
  IncrementalDecoder decoder(model, weights, encoded);
  std::vector<Beam> beams;
  std::vector<GrownHypothesis> hypotheses;
  for (Index sentence = 0; sentence < std::ssize(sources); ++sentence) {
    const Index source_tokens = std::ssize(sources[sentence]);
    beams.emplace_back(options, options.limits.output_limit(source_tokens, model.config().max_length));
    hypotheses.push_back({.sentence = sentence, .parent = kNoParent, .token = kStartId});
  }

  while (!hypotheses.empty()) {
    // Step 2. Predict the next token of each live hypothesis of each sentence.
    const NextTokens next = next_tokens(decoder.step(hypotheses), options.beam, options.limits.first_token());

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

}  // namespace plainformer
