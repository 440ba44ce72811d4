// Paper: 6.2 Model Variations, Table 3 (its measures on the development set)
//
// The quality of a model on the validation pairs, during its training, and what it makes of a few of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "train/corpora.h"
#include "transformer/transformer.h"

namespace plainformer {

struct Validation {
  double loss = 0;             // per target token, smoothed, in nats; infinite if it is not a number
  double perplexity = 0;       // per word piece, </s> included, without smoothing; never NaN
  std::optional<double> bleu;  // 0 to 100; none if nothing was, or could be, translated
  std::vector<std::string> translations = {};  // of corpora.valid_task; none if the output is not finite
};

// Measures loss and perplexity on corpora.valid, in batches of settings.batch_tokens, and BLEU on the first
// settings.valid_bleu sentences of corpora.valid_task, as `plainformer translate` and `plainformer bleu`
// count it, the latter with --tokens char where words are written without blanks. Changes nothing.
Validation measure_validation(const Transformer& model, const EncodedCorpora& corpora,
                              const Settings& settings);

// "validation loss 2.871, perplexity 8.912, BLEU 31.2"
std::string to_string(const Validation& validation);

// The model's greedy translations of a task, within the task's limits.
std::vector<std::string> translations_of(const TranslationTask& task, const Transformer& model,
                                         const TextEncoding& text);

// The first sentences of a task, each with its reference, or with this translation of it: "=" marks one that
// equals the reference, and one that is more than twice as wide is cut. At most `count` of them, each on a
// new line.
std::string describe_references(const TranslationTask& task, Index count);
std::string describe_translations(const TranslationTask& task, const std::vector<std::string>& translations,
                                  Index count);

}  // namespace plainformer
