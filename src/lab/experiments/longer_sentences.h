// Paper: 3.5 Positional Encoding ("it may allow the model to extrapolate to sequence lengths longer than the ones
// encountered during training"), measured: a model that was trained on short sentences translates longer ones, and
// short ones whose positions begin later.
#pragma once

#include <functional>
#include <vector>

#include "lab/experiments/trained_transformer.h"

namespace plainformer {

// The tokens of the longer side of a pair, without special symbols.
Index length_of(const SentencePair& pair);

// The training text without the pairs that are longer.
std::vector<SentencePair> not_longer(const std::vector<SentencePair>& pairs, Index longest);

struct LengthResult {
  Index sentences = 0;
  double exact = 0;  // the percentage of them that are translated word for word
  double loss = 0;   // nats per token of the references
};

// The results of all pairs of this length.
LengthResult test_length(const Transformer& model, const TranslatorText& text,
                         const std::vector<SentencePair>& pairs, Index length);

// The exact match of those pairs when the first token of both sides has the position `moved` instead of 0. The loss is 0.
LengthResult test_moved(const Transformer& model, const TranslatorText& text,
                        const std::vector<SentencePair>& pairs, Index length, Index moved);

}  // namespace plainformer
