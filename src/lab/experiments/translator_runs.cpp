#include "lab/experiments/translator_runs.h"

#include <iostream>
#include <memory>

#include "data/text.h"
#include "lab/experiments/verb_distance.h"
#include "platform/platform.h"
#include "report/progress_bar.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// Trains the models on one text. They take turns, so that whatever else the machine does slows all alike.
void run_seed(Index seed, const ExperimentOptions& options, TranslatorRuns& runs) {
  TranslatorText text =
      translator_text({.seed = seed, .learning_rate = options.learning_rate, .held_out = options.sentences});
  std::vector<std::unique_ptr<TranslatorTraining>> trainings;
  for (const TranslatorKind kind : kTranslatorKinds)
    trainings.push_back(std::make_unique<TranslatorTraining>(kind, text));
  ProgressBar bar(std::cerr, understands_escapes(2), std::ssize(kTranslatorKinds) * options.over.back(),
                  {.unit = "step", .color = color_allowed(2)});
  Index done = 0;
  for (std::size_t place = 0; place < options.over.size(); ++place)
    for (std::size_t kind = 0; kind < kTranslatorKinds.size(); ++kind) {
      const char* name = name_of(kTranslatorKinds[kind]);
      trainings[kind]->train_until(options.over[place], [&] { bar.update(++done, name); });
      runs.results[kind][place].push_back(trainings[kind]->test());
      runs.weights[kind] = trainings[kind]->weights();
    }
  bar.finish();

  TestSentences& sentences = runs.sentences.emplace_back();
  for (const ToyPair& pair : text.text.test) {
    sentences.words.push_back(std::ssize(split_words(pair.source)));
    sentences.places.push_back(verb_distance(pair));
  }
}

}  // namespace

TranslatorRuns translator_runs(const ExperimentOptions& options) {
  TranslatorRuns runs = {.over = options.over, .sentences = {}, .results = {}};
  for (auto& results : runs.results) results.resize(options.over.size());
  for (Index seed = 1; seed <= options.seeds; ++seed) run_seed(seed, options, runs);
  return runs;
}

std::string NumberRange::name() const {
  return std::to_string(first) + (first == last ? "" : " to " + std::to_string(last));
}

RightSentences right_sentences(const TranslatorRuns& runs, NumberRange words, NumberRange places) {
  RightSentences counts;
  for (std::size_t seed = 0; seed < runs.sentences.size(); ++seed) {
    const TestSentences& sentences = runs.sentences[seed];
    for (std::size_t i = 0; i < sentences.words.size(); ++i) {
      if (!words.has(sentences.words[i]) || !places.has(sentences.places[i])) continue;
      ++counts.sentences;
      for (std::size_t kind = 0; kind < counts.right.size(); ++kind)
        counts.right[kind] += runs.results[kind].back()[seed].right[i] ? 1 : 0;
    }
  }
  return counts;
}

}  // namespace plainformer
