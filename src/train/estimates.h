// The memory and the time that a training run will take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/batching.h"
#include "train/settings.h"

namespace plainformer {

// Bytes, estimated from the shapes; `plainformer cost` has the exact account of a step.
struct MemoryEstimate {
  double model = 0;  // weights, their gradients and Adam's moments
  double step = 0;   // the model, and the tensors of a step on a full batch
};

// `model` has its vocabulary.
MemoryEstimate estimate_memory(const Settings& settings, const ModelConfig& model,
                               const std::vector<SentencePair>& train);

// Throws input_error, with the options to change, if the run needs more than `usable` bytes.
void require_memory(const Settings& settings, const MemoryEstimate& needed, double usable);

// "about 213 MB of 25.2 GB", with the bytes that the program holds already.
std::string describe_memory(const MemoryEstimate& needed, double held, double usable);

// The steps and validations of a run so far.
struct Pace {
  Index made = 0;  // steps of this run: fewer than `steps` if it was resumed
  Index steps = 0;
  double seconds = 0;  // for these steps
  Index validations = 0;
  double validation_seconds = 0;  // for all validations
};

struct TimeEstimate {
  double seconds = 0;  // for all steps and validations, even where --minutes ends the run sooner
  // "time: about 14 minutes on this machine for 10000 steps and 20 validations"; where --minutes ends the run
  // sooner, "time: --minutes 5 will end the training at about step 3000 of 10000", with a hint if the
  // learning rate will not have reached its peak (5.3). Empty if the rest takes seconds.
  std::string text;

  // True if it differs from an earlier one by a quarter; 0: there was none.
  bool corrects(double earlier_seconds) const;
};

// Counts validations as soon as one was made. nullopt after too few steps: ask again after the next one.
std::optional<TimeEstimate> estimate_time(const Settings& settings, const Pace& pace);

}  // namespace plainformer
