#include "train/trial_steps.h"

#include <algorithm>
#include <chrono>

#include "command_line/command_support.h"
#include "core/random.h"
#include "core/special_symbols.h"
#include "data/text.h"
#include "platform/platform.h"
#include "train/corpora.h"
#include "train/needed_memory.h"
#include "train/train_with.h"
#include "training/training_loop.h"

namespace plainformer {

namespace {

constexpr Index kTrialTokens = 1024, kTrialSteps = 4;

// Pieces of a sentence, on average; a word has about 1.3 of them.
Index mean_pieces(const ParallelCorpus& text, Index longest) {
  constexpr Index kMostPairs = 1000;
  constexpr double kPiecesOfAWord = 1.3;
  const Index pairs = std::min(std::ssize(text.pairs()), kMostPairs);
  Index words = 0;
  for (Index i = 0; i < pairs; ++i)
    for (const std::string* line : {&text.pairs()[i].source, &text.pairs()[i].target})
      words += std::ssize(split_words(text.words().cut(*line)));
  const double mean = kPiecesOfAWord * static_cast<double>(words) / static_cast<double>(2 * pairs);
  return std::clamp<Index>(static_cast<Index>(mean), 1, longest);
}

// The tokens on which training takes about as long as a validation does (see tokens_like_a_validation).
double tokens_of_a_validation(const TrainSettings& settings, Index pairs, Index pieces) {
  constexpr Index kOfAFile = 1000;  // its pairs, which are not known yet
  const Index held_out = settings.valid_text.empty() ? settings.pairs_to_hold_out(pairs) : kOfAFile;
  const Index translated = std::min(settings.valid_bleu, held_out) + settings.samples;
  return static_cast<double>(2 * (pieces + 1)) *
         (static_cast<double>(held_out) / 3 + static_cast<double>(translated));
}

TranslationBatch random_batch(Index tokens, Index pieces, Index vocab, Random& random) {
  const auto sentences = [&] {
    std::vector<std::vector<int>> all(std::max<Index>(1, tokens / (pieces + 1)));
    for (std::vector<int>& ids : all)
      for (Index i = 0; i < pieces; ++i)
        ids.push_back(static_cast<int>(kSpecialSymbols + random.below(vocab - kSpecialSymbols)));
    return all;
  };
  return TranslationBatch::from(sentences(), sentences());
}

}  // namespace

double most_trial_seconds(double minutes) {
  constexpr double kMost = 5, kOfAMinute = 1;
  return minutes > 0 ? std::min(kMost, kOfAMinute * minutes) : kMost;
}

TrialTimes try_steps(const TrainSettings& settings, const ParallelCorpus& text) {
  constexpr Index kCharacters = 200;  // of a usual text: pieces beside those of the merges
  use_threads(settings.threads);
  use_ways(settings.plain);
  use_precision(settings.precision);
  require_memory_for_model(settings, usable_memory_bytes());
  ModelConfig config = settings.model;
  config.vocab = kSpecialSymbols + kCharacters + settings.merges;
  Random random(random_stream(0, 0, 0));
  const Index tokens = std::min(settings.batch_tokens, kTrialTokens);
  const Index pieces = mean_pieces(text, longest_in_training(settings));
  const TranslationBatch batch = random_batch(tokens, pieces, config.vocab, random);

  Transformer model(config, settings.training.seed);
  Adam adam(model.parameters(), settings.training.adam);
  TrainSettings trial = settings;
  TrainingOptions& options = trial.training;
  options.steps = kTrialSteps;
  options.validate_every = options.checkpoint_every = 0;
  double all = 0, fastest = 0;
  const TrainingHooks hooks = {.stop = [&] { return all > most_trial_seconds(settings.minutes); },
                               .after_step =
                                   [&](const StepReport& report) {
                                     all += report.seconds;
                                     if (fastest == 0 || report.seconds < fastest) fastest = report.seconds;
                                   },
                               .validate = [] {},
                               .save_checkpoint = [] {}};
  TrainingProgress progress;
  const BatchSource source = {.begin_epoch = [&](Index) { return options.accumulate; },
                              .batch = [&](Index) { return batch; }};
  train_with(trial, model, adam, progress, source, hooks);
  const double a_token = fastest / static_cast<double>(options.accumulate * 2 * tokens);
  const double validated = tokens_of_a_validation(settings, std::ssize(text.pairs()), pieces);
  return {.a_step = a_token * static_cast<double>(options.accumulate * 2 * settings.batch_tokens),
          .a_validation = a_token * validated};
}

}  // namespace plainformer
