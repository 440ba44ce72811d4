#include "decoding/beam_search.h"

#include "decoding/beam.h"
#include "decoding/plain_decoder.h"

namespace plainformer {

std::vector<Hypotheses> beam_search(const Transformer& model, const std::vector<std::vector<int>>& sources,
                                    const SearchOptions& options) {
  options.check("beam search: ");
  if (sources.empty()) return {};

  // Step 1. Encode the sources, and start each translation with <s>.
  const EncodedSources encoded = encode_sources(model, sources);
  std::vector<Beam> beams;
  for (const auto& source : sources)
    beams.emplace_back(options, options.limits.output_limit(std::ssize(source), model.config().max_length));

  while (true) {
    // Step 2. Predict the next token of each live hypothesis of each sentence.
    std::vector<std::vector<int>> prefixes;
    std::vector<Index> sentences;
    for (Index sentence = 0; sentence < std::ssize(beams); ++sentence) {
      for (const Beam::LiveHypothesis& hypothesis : beams[sentence].live()) {
        prefixes.push_back(hypothesis.tokens);
        sentences.push_back(sentence);
      }
    }
    if (prefixes.empty()) break;
    const NextTokens next = next_tokens(next_logits(model, encoded, prefixes, sentences), options.beam,
                                        options.limits.first_token());

    // Step 3. Let each sentence choose among its continuations.
    Index row = 0;
    for (Beam& beam : beams) {
      const Index rows = std::ssize(beam.live());
      if (rows > 0) beam.advance(next, row);
      row += rows;
    }
  }

  std::vector<Hypotheses> translations;
  for (const Beam& beam : beams) translations.push_back(beam.finished());
  return translations;
}

}  // namespace plainformer
