// Paper: 5.1 Training Data and Batching
//
// The batches of a training run, epoch by epoch, with the changes that --bpe-dropout and --word-dropout make
// to the text.
#pragma once

#include <vector>

#include "runs/corpora.h"
#include "training/training_loop.h"

namespace plainformer {

class TrainingBatches {
 public:
  // Keeps references to all three.
  TrainingBatches(const TrainSettings& settings, const Corpora& text, const EncodedCorpora& corpora)
      : settings_(settings), text_(text), corpora_(corpora) {}

  BatchSource source();  // refers to this object

 private:
  Index begin_epoch(Index epoch);
  TranslationBatch batch(Index index) const;
  const std::vector<SentencePair>& pairs() const;  // of this epoch

  const TrainSettings& settings_;
  const Corpora& text_;
  const EncodedCorpora& corpora_;
  Index epoch_ = 0;
  std::vector<SentencePair> sampled_;        // with --bpe-dropout: this epoch's cut of the text
  std::vector<std::vector<Index>> batches_;  // of this epoch: the numbers of the pairs in each
};

}  // namespace plainformer
