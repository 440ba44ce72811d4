#include "train/train_with.h"

#include "training/r_drop.h"
#include "training/recomputing.h"

namespace plainformer {

void train_with(const TrainSettings& settings, Transformer& model, Adam& adam, TrainingProgress& progress,
                const BatchSource& source, const TrainingHooks& hooks) {
  const auto run = [&](auto& trained) {
    if (settings.r_drop == 0) return train(trained, adam, progress, settings.training, source, hooks);
    RDrop with_r_drop(trained, settings.r_drop);
    train(with_r_drop, adam, progress, settings.training, source, hooks);
  };
  if (!settings.recompute) return run(model);
  RecomputingTransformer recomputing(model);
  run(recomputing);
}

}  // namespace plainformer
