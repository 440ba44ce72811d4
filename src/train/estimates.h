// The memory that a training run will take.
#pragma once

#include <string>
#include <vector>

#include "data/batching.h"
#include "train/settings.h"

namespace plainformer {

// Bytes, by the account of training_cost.h.
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

}  // namespace plainformer
