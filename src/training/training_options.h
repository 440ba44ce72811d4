// The settings of a training run. The defaults are those of the paper's base model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "training/adam.h"
#include "training/learning_rate.h"

namespace plainformer {

// A number out of its range: "dropout", 2, "choose at least 0 and less than 1".
struct OutOfRange {
  std::string quantity;
  double value = 0;
  std::string hint;
};

struct TrainingOptions {
  double dropout = 0.1;          // P_drop
  double label_smoothing = 0.1;  // epsilon_ls
  double attention_dropout = 0;  // probability of dropping an attention weight (6.3)
  LearningRateSchedule learning_rate = {};
  AdamOptions adam = {};
  double clip_norm = 0;  // longer gradients are scaled down to this norm; 0: never (the paper does not clip)
  std::uint64_t seed = 1;  // of the dropout masks

  Index steps = 100000;           // updates in all
  Index accumulate = 1;           // batches whose gradients add up to one update
  Index validate_every = 1000;    // steps; 0: never
  Index checkpoint_every = 1000;  // steps; 0: never

  std::optional<OutOfRange> first_out_of_range() const;
};

}  // namespace plainformer
