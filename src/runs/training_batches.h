// Paper: 5.1 Training Data and Batching
//
// The batches of a training run: those of data/epoch_batches.h, with the changes that --bpe-dropout and --word-dropout
// make to the text.
#pragma once

#include <vector>

#include "data/epoch_batches.h"
#include "runs/corpora.h"

namespace plainformer {

class TrainingBatches {
 public:
  // Keeps references to the first three.
  TrainingBatches(const TrainSettings& settings, const Corpora& text, const EncodedCorpora& corpora,
                  const BegunEpoch& begun = {})
      : settings_(settings),
        text_(text),
        corpora_(corpora),
        batches_(batches_of(settings.bpe_dropout > 0 ? sampled_ : corpora.train, settings.batch_tokens,
                            settings.training.seed, begun)) {}
  TrainingBatches(const TrainingBatches&) = delete;

  BatchSource source();  // refers to this object

 private:
  Index begin_epoch(Index epoch);
  TranslationBatch batch(Index index) const;

  const TrainSettings& settings_;
  const Corpora& text_;
  const EncodedCorpora& corpora_;
  Index epoch_ = 0;
  std::vector<SentencePair> sampled_;  // with --bpe-dropout: this epoch's cut of the text
  const BatchSource batches_;          // of sampled_, or of the training text
};

}  // namespace plainformer
