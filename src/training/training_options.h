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
  // Of the attention weights (ops/attention_regularization.h); the penalty is added to the loss of a target
  // token, for all attentions, heads and queries of the batch together.
  double attention_dropout = 0, head_dropout = 0, attention_penalty = 0;
  // Beyond the paper: the weight alpha of R-Drop (ops/r_drop.h), and the probability of leaving out a layer.
  double r_drop = 0, layer_drop = 0;
  LearningRateSchedule learning_rate = {};
  AdamOptions adam = {};
  double clip_norm = 0;  // longer gradients are scaled down to this norm; 0: never (the paper does not clip)
  bool recompute = false;  // keep only each layer's input: less memory, more time, the same bits
  std::uint64_t seed = 1;  // of the dropout masks

  Index steps = 100000;           // updates in all
  Index accumulate = 1;           // batches whose gradients add up to one update
  Index validate_every = 1000;    // steps; 0: never
  Index checkpoint_every = 1000;  // steps; 0: never

  bool has_dropout() const { return dropout > 0 || attention_dropout > 0 || head_dropout > 0; }
  std::optional<OutOfRange> first_out_of_range() const;
};

}  // namespace plainformer
