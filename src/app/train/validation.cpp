#include "app/train/validation.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "decoding/decode_all.h"
#include "evaluation/bleu.h"
#include "evaluation/perplexity.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

CrossEntropy evaluate(const Trainer& trainer, const std::vector<SentencePair>& pairs, Index batch_tokens) {
  CrossEntropy sums;
  for (const auto& numbers : make_batches(pairs, batch_tokens, /*seed=*/0, /*epoch=*/0)) {
    const CrossEntropy batch = trainer.evaluate(batch_of(pairs, numbers));
    sums.loss += batch.loss;
    sums.log_probability += batch.log_probability;
    sums.rows += batch.rows;
  }
  return sums;
}

// A loss that is not a number is the worst, and can be beaten.
double mean_loss(const CrossEntropy& sums) {
  const double loss = sums.loss / static_cast<double>(sums.rows);
  return std::isnan(loss) ? std::numeric_limits<double>::infinity() : loss;
}

double greedy_bleu(const Transformer& model, const Vocabulary& vocabulary, const TranslationTask& task) {
  std::vector<std::string> translations;
  for (const Hypotheses& best : decode_all(model, task.sources, kGreedy))
    translations.push_back(BytePairEncoding::join(vocabulary.decode(best.front().tokens)));
  return corpus_bleu(translations, task.references).score;
}

}  // namespace

Validation validate(const Trainer& trainer, const Transformer& model, const TrainingData& data,
                    Index batch_tokens) {
  const CrossEntropy sums = evaluate(trainer, data.valid, batch_tokens);
  Validation validation = {.loss = mean_loss(sums),
                           .perplexity = perplexity(-sums.log_probability, sums.rows),
                           .bleu = std::nullopt};
  if (data.valid_bleu.sources.empty()) return validation;
  try {
    validation.bleu = greedy_bleu(model, data.vocabulary, data.valid_bleu);
  } catch (const std::runtime_error&) {
    // Weights without a finite output translate nothing; whether training goes on is for the loss to say.
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

}  // namespace plainformer
