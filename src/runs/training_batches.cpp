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
  if (settings_.bpe_dropout > 0) {
    sampled_ =
        text_.train.sample(corpora_.byte_pairs, corpora_.vocabulary, longest_in_training(settings_),
                           settings_.bpe_dropout, settings_.training.seed, static_cast<std::uint64_t>(epoch));
  }
  return batches_.begin_epoch(epoch);
}

TranslationBatch TrainingBatches::batch(Index index) const {
  TranslationBatch batch = batches_.batch(index);
  if (settings_.word_dropout > 0) {
    const std::uint64_t step = (static_cast<std::uint64_t>(epoch_) << 32) + static_cast<std::uint64_t>(index);
    hide_words(batch, settings_.word_dropout,
               random_stream(settings_.training.seed, step, random_site::kWordDropout));
  }
  return batch;
}

}  // namespace plainformer
