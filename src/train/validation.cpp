#include "train/validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "evaluation/bleu.h"
#include "evaluation/perplexity.h"
#include "model_folder/translator.h"
#include "report/numbers.h"
#include "report/terminal.h"
#include "training/training_loop.h"

namespace plainformer {

namespace {

CrossEntropy sum_losses(const Transformer& model, const std::vector<SentencePair>& pairs,
                        const Settings& settings) {
  CrossEntropy sums;
  for (const auto& numbers : make_batches(pairs, settings.batch_tokens, /*seed=*/0, /*epoch=*/0))
    sums += evaluate(model, batch_of(pairs, numbers), settings.training.label_smoothing);
  return sums;
}

// A loss that is NaN counts as infinite: any other is better.
double mean_loss(const CrossEntropy& sums) {
  const double loss = sums.loss / static_cast<double>(sums.rows);
  return std::isnan(loss) ? std::numeric_limits<double>::infinity() : loss;
}

// "\n  2 ", or as many spaces for another line of the same sentence.
std::string line_of(Index number, bool is_first = true) {
  const std::string text = std::to_string(number);
  return "\n  " + (is_first ? text : std::string(text.size(), ' ')) + " ";
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
  const CrossEntropy sums = sum_losses(model, corpora.valid, settings);
  Validation validation = {.loss = mean_loss(sums),
                           .perplexity = perplexity(-sums.log_probability, sums.rows),
                           .bleu = std::nullopt};
  if (corpora.valid_bleu.sources.empty()) return validation;
  try {
    const TranslationTask& task = corpora.valid_bleu;
    const std::vector<std::string> translations = translations_of(task, model, corpora.vocabulary, kGreedy);
    validation.bleu = corpus_bleu(translations, task.references, {.tokenization = task.tokens}).score;
  } catch (const std::runtime_error&) {
    // A model whose output is not finite translates nothing. The loss decides whether training continues.
  }
  return validation;
}

std::string to_string(const Validation& validation) {
  std::ostringstream text;
  text.precision(4);
  text << "validation loss " << validation.loss << ", perplexity " << validation.perplexity;
  if (validation.bleu) text << ", BLEU " << format_fixed(*validation.bleu, 1);
  return text.str();
}

std::vector<std::string> translations_of(const TranslationTask& task, const Transformer& model,
                                         const Vocabulary& vocabulary, SearchOptions options) {
  options.limits = task.limits;
  return Translator(model, vocabulary, task.words).best_texts(task.sources, options);
}

std::string describe_watched(const WatchedSentences& watched) {
  const auto& pairs = watched.text.pairs();
  if (pairs.empty()) return "";
  std::string text = count_of(std::ssize(pairs), "held-out sentence") +
                     ", and what each should become; validations show their translation";
  for (Index i = 0; i < std::ssize(pairs); ++i) {
    text += line_of(i + 1) + printable(pairs[i].source);
    text += line_of(i + 1, /*is_first=*/false) + printable(pairs[i].target);
  }
  return text;
}

std::vector<std::string> translate_watched(const WatchedSentences& watched, const Transformer& model,
                                           const Vocabulary& vocabulary) {
  try {
    return translations_of(watched.task, model, vocabulary, kGreedy);
  } catch (const std::runtime_error&) {
    return {};  // of a model whose output is not finite
  }
}

std::string describe_translations(const WatchedSentences& watched,
                                  const std::vector<std::string>& translations,
                                  const std::vector<std::string>& before) {
  std::string text, unchanged;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    if (i < before.size() && before[i] == translations[i]) {
      unchanged += (unchanged.empty() ? "" : ", ") + std::to_string(i + 1);
      continue;
    }
    const std::string& reference = watched.task.references[i];
    text += line_of(static_cast<Index>(i) + 1) + (translations[i] == reference ? "= " : "  ") +
            shortened(translations[i], reference);
  }
  return unchanged.empty() ? text : text + "\n  " + unchanged + " as before";
}

}  // namespace plainformer
