// Paper: 6.2 Model Variations, Table 3 (its measures on the development set)
//
// The quality of a model on the validation pairs, during its training, and what it makes of a few of them.
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
// corpora.valid_bleu, as `plainformer translate` and `plainformer bleu` count it, the latter with --tokens
// char where words are written without blanks. Changes nothing.
Validation measure_validation(const Transformer& model, const EncodedCorpora& corpora,
                              const Settings& settings);

// "validation loss 2.871, perplexity 8.912, BLEU 31.2"
std::string to_string(const Validation& validation);

// The model's translations of a task, within the task's limits.
std::vector<std::string> translations_of(const TranslationTask& task, const Transformer& model,
                                         const Vocabulary& vocabulary, SearchOptions options);

// The watched sentences, each with its reference, which a run prints once.
std::string describe_watched(const WatchedSentences& watched);

// Their translations by this model, greedily. None if its output is not finite. Changes nothing.
std::vector<std::string> translate_watched(const WatchedSentences& watched, const Transformer& model,
                                           const Vocabulary& vocabulary);

// A line for each translation. "=" marks one that equals the reference, and one that is more than twice as
// wide is cut. Those that are the same as before share one line: "  2, 3 as before". before: none at the
// first validation of a run
std::string describe_translations(const WatchedSentences& watched,
                                  const std::vector<std::string>& translations,
                                  const std::vector<std::string>& before);

}  // namespace plainformer
