#include "runs/training_batches.h"

#include "beyond/word_dropout.h"
#include "core/random_streams.h"

namespace plainformer {

BatchSource TrainingBatches::source() {
  return {.begin_epoch = [this](Index epoch) { return begin_epoch(epoch); },
          .batch = [this](Index index) { return batch(index); }};
}

Index TrainingBatches::begin_epoch(Index epoch) {
  epoch_ = epoch;
  const auto number = static_cast<std::uint64_t>(epoch);
  const std::uint64_t seed = settings_.training.seed;
  if (settings_.bpe_dropout > 0) {
    sampled_ = text_.train.sample(corpora_.byte_pairs, corpora_.vocabulary, longest_in_training(settings_),
                                  settings_.bpe_dropout, seed, number);
  }
  batches_ = make_batches(pairs(), settings_.batch_tokens, seed, number);
  return std::ssize(batches_);
}

TranslationBatch TrainingBatches::batch(Index index) const {
  TranslationBatch batch = batch_of(pairs(), batches_[index]);
  if (settings_.word_dropout > 0) {
    const std::uint64_t step = (static_cast<std::uint64_t>(epoch_) << 32) + static_cast<std::uint64_t>(index);
    hide_words(batch, settings_.word_dropout,
               random_stream(settings_.training.seed, step, random_site::kWordDropout));
  }
  return batch;
}

const std::vector<SentencePair>& TrainingBatches::pairs() const {
  return settings_.bpe_dropout > 0 ? sampled_ : corpora_.train;
}

}  // namespace plainformer
