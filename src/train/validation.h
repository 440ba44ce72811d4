// Paper: 6.2 Model Variations, Table 3 (its measures on the development set)
//
// The quality of a model on the validation pairs, during its training.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decoding/search_options.h"
#include "train/corpora.h"
#include "transformer/transformer.h"

namespace plainformer {

struct Validation {
  double loss = 0;             // per target token, smoothed, in nats; infinite if it is not a number
  double perplexity = 0;       // per word piece, without smoothing
  std::optional<double> bleu;  // 0 to 100; none if nothing was, or could be, translated
};

// Measures loss and perplexity on corpora.valid, in batches of settings.batch_tokens, and BLEU on
// corpora.valid_bleu, as `plainformer translate` and `plainformer bleu` count it, the latter with --tokens char where words
// are written without blanks. Changes nothing.
Validation measure_validation(const Transformer& model, const EncodedCorpora& corpora,
                              const TrainSettings& settings);

// The model's translations of a task, within the task's limits.
std::vector<std::string> translations_of(const TranslationTask& task, const Transformer& model,
                                         const Vocabulary& vocabulary, SearchOptions options);

// The tokens on which training takes about as long as a validation does: to measure the loss, a third of the validation
// text, because nothing goes backward; to translate, its sources and as many tokens as they have (a guess).
double tokens_like_a_validation(const EncodedCorpora& corpora);

// "validation loss 2.871, perplexity 8.912, BLEU 31.2"
std::string to_string(const Validation& validation);

}  // namespace plainformer
