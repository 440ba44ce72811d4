#include "training/batch_source.h"

#include "core/check.h"

namespace plainformer {

std::vector<TranslationBatch> Epochs::next(Index count) {
  if (batches_ == 0) begin();
  while (progress_.batch >= batches_) {
    end();
    begin();
  }
  std::vector<TranslationBatch> taken;
  while (std::ssize(taken) < count && progress_.batch < batches_)
    taken.push_back(source_.batch(progress_.batch++));
  return taken;
}

void Epochs::end() {
  if (batches_ == 0 || progress_.batch < batches_) return;
  ++progress_.epoch;
  progress_.batch = 0;
  batches_ = 0;
}

void Epochs::begin() {
  batches_ = source_.begin_epoch(progress_.epoch);
  CHECK(batches_ >= 1, "epoch ", progress_.epoch, " has ", batches_, " batches");
}

}  // namespace plainformer
