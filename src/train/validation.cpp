#include "train/validation.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "evaluation/bleu.h"
#include "evaluation/perplexity.h"
#include "model_folder/translator.h"
#include "report/number_format.h"
#include "training/training_loop.h"

namespace plainformer {

namespace {

CrossEntropy sum_losses(const Transformer& model, const std::vector<SentencePair>& pairs,
                        const TrainSettings& settings) {
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

}  // namespace

Validation measure_validation(const Transformer& model, const EncodedCorpora& corpora,
                              const TrainSettings& settings) {
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

double tokens_like_a_validation(const EncodedCorpora& corpora) {
  Index measured = 0, translated = 0;
  for (const SentencePair& pair : corpora.valid)
    measured += std::ssize(pair.source) + std::ssize(pair.target) + 2;
  for (const TranslationTask* task : {&corpora.valid_bleu, &corpora.watched.task})
    for (const std::vector<int>& source : task->sources) translated += 2 * (std::ssize(source) + 1);
  return static_cast<double>(measured) / 3 + static_cast<double>(translated);
}

std::vector<std::string> translations_of(const TranslationTask& task, const Transformer& model,
                                         const Vocabulary& vocabulary, SearchOptions options) {
  options.limits = task.limits;
  return Translator(model, vocabulary, task.words).best_texts(task.sources, options);
}

std::string to_string(const Validation& validation) {
  std::ostringstream text;
  text.precision(4);
  text << "validation loss " << validation.loss << ", perplexity " << validation.perplexity;
  if (validation.bleu) text << ", BLEU " << format_fixed(*validation.bleu, 1);
  return text.str();
}

}  // namespace plainformer
