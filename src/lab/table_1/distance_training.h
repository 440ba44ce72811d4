// Paper: 4 Why Self-Attention (why the length of a path matters)
//
// Trains a small model on a task over one distance, and says how much of it the model has learned.
#pragma once

#include "lab/table_1/distance_model.h"

namespace plainformer {

struct DistanceTrainingOptions {
  LayerSizes sizes = {};
  Index layers = 2;
  Index steps = 1000;  // at most; a model that makes no mistake stops earlier
  Index batch = 32;    // sequences
  double learning_rate = 2e-3;
  std::uint64_t seed = 1;
};

struct DistanceResult {
  double accuracy = 0;  // on held-out sequences, 1 for all right; 1/16 by guessing
  Index steps = 0;      // that it took
  double loss = 0;      // of the last training batch, in nats a question
};

DistanceResult train_over_distance(DistanceTask task, LayerKind kind, Index distance,
                                   const DistanceTrainingOptions& options);

}  // namespace plainformer
