// Paper: 5.3 Optimizer (the learning rate, equation (3))
//
//   lrate = scale d_model^-0.5 min(step^-0.5, step warmup_steps^-1.5)
//
// The settings of a training run, and its progress. The defaults are those of the paper's base model, which
// has no scale: it is 1 there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ops/adam.h"

namespace plainformer {

struct LearningRateSchedule {
  Index d_model = 0;  // the model's; must be set
  Index warmup_steps = 4000;
  double scale = 1;

  // Rises linearly for warmup_steps, then falls with the inverse square root of the step. Steps count from 1.
  double at(Index step) const;
};

struct TrainingOptions {
  double dropout = 0.1;          // P_drop
  double label_smoothing = 0.1;  // epsilon_ls
  LearningRateSchedule learning_rate = {};
  AdamOptions adam = {};
  double clip_norm = 0;  // longer gradients are scaled down to this norm; 0: never (the paper does not clip)
  std::uint64_t seed = 1;  // the seed of the dropout masks

  Index steps = 100000;           // updates in all
  Index accumulate = 1;           // batches whose gradients add up to one update
  Index validate_every = 1000;    // steps; 0: never
  Index checkpoint_every = 1000;  // steps; 0: never

  // Throws std::runtime_error, which names the first number out of its range with this prefix: "--dropout".
  void check(const std::string& prefix) const;
};

// A checkpoint holds it, the weights and Adam's state.
struct TrainingProgress {
  Index epoch = 0;       // complete passes over the data
  Index batch = 0;       // batches of this epoch already used
  Index attempts = 0;    // steps begun, skipped ones included; each has its own dropout masks
  double best_loss = 0;  // the loss of the best validation so far; meaningless before the first one
  Index best_step = 0;   // its step; 0: no validation so far
  std::optional<double> best_bleu;  // its BLEU, in a run that compares validations by BLEU
};

}  // namespace plainformer
