// A Transformer trained on the built-in grammar, for the experiments that look at a trained model.
#pragma once

#include <functional>
#include <iostream>
#include <vector>

#include "lab/experiments/experiments.h"
#include "lab/experiments/translator_training.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

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

// Trains a toy for each seed and each value of options.over, and tests it; a progress bar tells how far it is.
//   size   what the values stand for, as &ModelConfig::heads
//   test   called with the model, the text, and a function that shows a word beside the bar
// Returns [place in over][seed].
template <typename Test>
auto test_each(const ExperimentOptions& options, Index ModelConfig::*size, const Test& test) {
  using Show = std::function<void(const std::string&)>;
  using Result = std::invoke_result_t<const Test&, Transformer&, const TranslatorText&, const Show&>;
  std::vector<std::vector<Result>> results(options.over.size());
  ProgressBar bar(std::cerr, understands_escapes(2), options.seeds * std::ssize(options.over) * options.steps,
                  {.unit = "step", .color = color_allowed(2)});
  Index done = 0;
  for (Index seed = 1; seed <= options.seeds; ++seed) {
    TranslatorText text = translator_text(
        {.seed = seed, .learning_rate = options.learning_rate, .held_out = options.sentences});
    for (std::size_t place = 0; place < options.over.size(); ++place) {
      text.settings.model.*size = options.over[place];
      Transformer model =
          train_transformer(text, options.steps, [&] { bar.update(++done, "seed " + std::to_string(seed)); });
      results[place].push_back(test(model, text, [&](const std::string& word) { bar.update(done, word); }));
    }
  }
  bar.finish();
  return results;
}

}  // namespace plainformer
