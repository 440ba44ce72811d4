// Paper: 5.1 Training Data and Batching
//
// The batches of a text, epoch by epoch, as the training loop takes them.
#pragma once

#include <functional>
#include <vector>

#include "training/training_options.h"
#include "transformer/token_batch.h"

namespace plainformer {

struct BatchSource {
  // Shuffles the batches for an epoch and returns their number, at least 1. An epoch always has the same
  // order, so that a resumed run can continue in the middle of it.
  std::function<Index(Index epoch)> begin_epoch;
  // The batch at this index in the epoch's order.
  std::function<TranslationBatch(Index index)> batch;
};

// Takes batches from a source, one epoch after another, and counts them in the progress of the run.
class Epochs {
 public:
  // Keeps references to both.
  Epochs(const BatchSource& source, TrainingProgress& progress) : source_(source), progress_(progress) {}

  // The next batches, at most `count`: all of one epoch.
  std::vector<TranslationBatch> next(Index count);
  // Goes on to the next epoch if this one is used up.
  void end();

 private:
  void begin();

  const BatchSource& source_;
  TrainingProgress& progress_;
  Index batches_ = 0;  // of this epoch; 0: it has not begun
};

}  // namespace plainformer
