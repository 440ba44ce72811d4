// The parts of a training step that the settings replace by others than the paper's.
#pragma once

#include "train/train_settings.h"
#include "training/loss.h"
#include "training/model_passes.h"

namespace plainformer {

struct TrainingVariant {
  ModelPasses passes;
  Loss loss;
};

// Refers to the model.
TrainingVariant training_variant(Transformer& model, const TrainSettings& settings);

// The passes of the model with recomputation. Refers to the model.
ModelPasses recomputing_passes(Transformer& model);

}  // namespace plainformer
