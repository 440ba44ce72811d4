// Trains a LookupModel on examples drawn afresh in each step, and tests it on others.
#pragma once

#include <cstdint>

#include "lab/experiments/lookup_model.h"

namespace plainformer {

struct LookupTraining {
  Index steps = 1000, batch = 32;
  double learning_rate =
      0.003;               // in the first half of the steps; in the second it falls to 0 in a straight line
  Index held_out = 1024;   // examples of the test
  std::uint64_t seed = 1;  // of weights and examples
};

struct LookupResult {
  double loss = 0, accuracy = 0;  // of the held-out examples: mean loss in nats, share of right answers
};

LookupResult train_lookup(const LookupModelOptions& model_options, const LookupTask& task,
                          const LookupTraining& training);

}  // namespace plainformer
