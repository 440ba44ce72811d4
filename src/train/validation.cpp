#include "train/validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "core/number_text.h"
#include "evaluation/bleu.h"
#include "model_folder/translator.h"
#include "report/terminal.h"
#include "training/training_loop.h"

namespace plainformer {

namespace {

std::string number_of(Index sentence) {
  return "\n  " + std::to_string(sentence + 1) + " ";
}

// The translation, cut at twice the width of its reference: an early one may repeat a word to the limit of
// length.
std::string shortened(const std::string& translation, const std::string& reference) {
  if (translation.empty()) return "(nothing)";
  constexpr int kShortest = 40;
  return truncate_to_width(printable(translation), std::max(kShortest, 2 * display_width(reference)));
}

}  // namespace

Validation measure_validation(const Transformer& model, const EncodedCorpora& corpora,
                              const Settings& settings) {
  CrossEntropy sums;
  for (const auto& numbers : make_batches(corpora.valid, settings.batch_tokens, /*seed=*/0, /*epoch=*/0))
    sums += evaluate(model, batch_of(corpora.valid, numbers), settings.training.label_smoothing);
  Validation validation;
  validation.loss = sums.loss / static_cast<double>(sums.rows);
  validation.perplexity = std::exp(-sums.log_probability / static_cast<double>(sums.rows));
  for (double* measure : {&validation.loss, &validation.perplexity})
    if (std::isnan(*measure)) *measure = std::numeric_limits<double>::infinity();
  const TranslationTask& task = corpora.valid_task;
  if (task.sources.empty()) return validation;
  try {
    validation.translations = translations_of(task, model, corpora);
  } catch (const std::runtime_error&) {
    return validation;  // a model whose output is not finite translates nothing, and the loss says so
  }
  const auto first = [&](const std::vector<std::string>& texts) {
    return std::vector<std::string>(texts.begin(),
                                    texts.begin() + std::min(settings.valid_bleu, std::ssize(texts)));
  };
  if (settings.valid_bleu > 0)
    validation.bleu =
        corpus_bleu(first(validation.translations), first(task.references), {.tokenization = task.tokens})
            .score;
  return validation;
}

std::string to_string(const Validation& validation) {
  std::ostringstream text;
  text.precision(4);
  text << "validation loss " << validation.loss << ", perplexity " << validation.perplexity;
  if (validation.bleu) text << ", BLEU " << fixed_text(*validation.bleu, 1);
  return text.str();
}

std::vector<std::string> translations_of(const TranslationTask& task, const Transformer& model,
                                         const TextEncoding& text) {
  SearchOptions greedy = kGreedy;
  greedy.limits = task.limits;
  return Translator(model, text).best_texts(task.sources, greedy);
}

std::string describe_references(const TranslationTask& task, Index count) {
  std::string text;
  for (Index i = 0; i < std::min(count, std::ssize(task.texts)); ++i)
    text += number_of(i) + printable(task.texts[i]) + "\n    " + printable(task.references[i]);
  return text;
}

std::string describe_translations(const TranslationTask& task, const std::vector<std::string>& translations,
                                  Index count) {
  std::string text;
  for (Index i = 0; i < std::min(count, std::ssize(translations)); ++i) {
    const bool is_right = translations[i] == task.references[i];
    text += number_of(i) + (is_right ? "= " : "  ") + shortened(translations[i], task.references[i]);
  }
  return text;
}

}  // namespace plainformer
