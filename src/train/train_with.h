// The loop of training/training_loop.h, on the model that the settings ask for: itself, or wrapped by R-Drop and by
// recomputation (training/r_drop.h, training/recomputing.h).
#pragma once

#include "train/train_settings.h"
#include "training/training_loop.h"

namespace plainformer {

// train() with settings.training, settings.r_drop and settings.recompute.
void train_with(const TrainSettings& settings, Transformer& model, Adam& adam, TrainingProgress& progress,
                const BatchSource& source, const TrainingHooks& hooks);

}  // namespace plainformer
