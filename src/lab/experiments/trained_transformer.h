// A Transformer trained on the built-in grammar, for the experiments that look at a trained model.
#pragma once

#include <functional>
#include <vector>

#include "lab/experiments/translator_training.h"

namespace plainformer {

// No German sentence of the grammar has as many more tokens than its English one.
inline constexpr SearchLimits kToyLimits = {.extra_length = 10};

// Trains a new model of text.settings.model on text.corpora.train. Calls after_step after each step.
Transformer train_transformer(const TranslatorText& text, Index steps,
                              const std::function<void()>& after_step);

// Sentences as token ids without special symbols.
using TokenSequences = std::vector<std::vector<int>>;

// Greedy translations of all sources of the test, within kToyLimits.
TokenSequences greedy_translations(const Transformer& model, const TranslatorText& text);

// Each translation as the words that it stands for.
std::vector<std::string> text_of(const TokenSequences& translations, const TranslatorText& text);

// The percentage of the test's sentences whose translation is the reference, word for word.
//   translations   one for each source of the test
double percent_right(const TokenSequences& translations, const TranslatorText& text);

}  // namespace plainformer
