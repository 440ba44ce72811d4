#include "lab/experiments/longer_sentences.h"

#include <algorithm>

#include "decoding/sequence_score.h"
#include "lab/experiments/recomputing_search.h"

namespace plainformer {

namespace {

struct SidesOfPairs {
  TokenSequences sources, targets;
};

SidesOfPairs sides_of_length(const std::vector<SentencePair>& pairs, Index length) {
  SidesOfPairs sides;
  for (const SentencePair& pair : pairs) {
    if (length_of(pair) != length) continue;
    sides.sources.push_back(pair.source);
    sides.targets.push_back(pair.target);
  }
  return sides;
}

}  // namespace

Index length_of(const SentencePair& pair) {
  return std::max(std::ssize(pair.source), std::ssize(pair.target));
}

std::vector<SentencePair> not_longer(const std::vector<SentencePair>& pairs, Index longest) {
  std::vector<SentencePair> kept;
  for (const SentencePair& pair : pairs)
    if (length_of(pair) <= longest) kept.push_back(pair);
  return kept;
}

LengthResult test_length(const Transformer& model, const TranslatorText& text,
                         const std::vector<SentencePair>& pairs, Index length) {
  LengthResult result = test_moved(model, text, pairs, length, 0);
  const SidesOfPairs sides = sides_of_length(pairs, length);
  double loss = 0;
  Index tokens = 0;
  for (const SequenceScore& score : score_sequences(model, sides.sources, sides.targets)) {
    loss -= score.log_probability;
    tokens += score.tokens;
  }
  result.loss = tokens > 0 ? loss / static_cast<double>(tokens) : 0;
  return result;
}

LengthResult test_moved(const Transformer& model, const TranslatorText& text,
                        const std::vector<SentencePair>& pairs, Index length, Index moved) {
  const SidesOfPairs sides = sides_of_length(pairs, length);
  const auto translations =
      text_of(translate_recomputing(model, sides.sources, kToyLimits, {.first_position = moved}), text);
  const auto references = text_of(sides.targets, text);
  Index right = 0;
  for (std::size_t i = 0; i < references.size(); ++i) right += translations[i] == references[i] ? 1 : 0;
  LengthResult result = {.sentences = std::ssize(references)};
  if (result.sentences > 0)
    result.exact = 100.0 * static_cast<double>(right) / static_cast<double>(result.sentences);
  return result;
}

}  // namespace plainformer
