#include "lab/experiments/trained_transformer.h"

#include "core/check.h"
#include "decoding/decode_all.h"

namespace plainformer {

Transformer train_transformer(const TranslatorText& text, Index steps,
                              const std::function<void()>& after_step) {
  TrainingOptions options = text.settings.training;
  options.steps = steps;
  options.validate_every = options.checkpoint_every = 0;
  Transformer model(text.settings.model, options.seed);
  Adam adam(model.parameters(), options.adam);
  TrainingProgress progress = {};
  TrainingBatches batches(text.settings, text.text, text.corpora);
  TrainingHooks hooks;
  hooks.after_step = [&](const StepReport&) { after_step(); };
  train(model, adam, progress, options, batches.source(), hooks);
  return model;
}

TokenSequences greedy_translations(const Transformer& model, const TranslatorText& text) {
  SearchOptions options = kGreedy;
  options.limits = kToyLimits;
  TokenSequences translations;
  for (Hypotheses& found : decode_all(model, text.test.sources, options))
    translations.push_back(std::move(found.front().tokens));
  return translations;
}

std::vector<std::string> text_of(const TokenSequences& translations, const TranslatorText& text) {
  std::vector<std::string> lines;
  for (const std::vector<int>& each : translations)
    lines.push_back(BytePairEncoding::join(text.corpora.vocabulary.decode(each)));
  return lines;
}

double percent_right(const TokenSequences& translations, const TranslatorText& text) {
  CHECK(translations.size() == text.test.references.size(), translations.size(), " translations");
  const std::vector<std::string> lines = text_of(translations, text);
  Index right = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) right += lines[i] == text.test.references[i] ? 1 : 0;
  return 100.0 * static_cast<double>(right) / static_cast<double>(lines.size());
}

}  // namespace plainformer
