// The memory that a training run needs, known before it takes any.
#pragma once

#include <string>
#include <vector>

#include "data/batching.h"
#include "train/costs/training_memory.h"
#include "train/train_settings.h"

namespace plainformer {

// The account of a step on the batch that needs the most. What --attention-dropout keeps is not in it.
//   model   with its vocabulary
TrainingMemory needed_memory(const TrainSettings& settings, const ModelConfig& model,
                             const std::vector<SentencePair>& train);

// Throws input_error if weights, gradients and Adam's moments do not fit, whatever the text. Call it before the text
// is read.
//   usable   bytes (usable_memory_bytes)
void require_memory_for_model(const TrainSettings& settings, double usable);

// Throws input_error, with the options to change, if a step's tensors or the average at the end do not fit.
void require_memory(const TrainSettings& settings, const TrainingMemory& needed, double usable);

// "about 213 MB of 25.2 GB": a step's tensors and the threads' scratch, or the average at the end if it takes more; and
// what the program holds already, in bytes.
std::string describe_memory(const TrainSettings& settings, const TrainingMemory& needed, double held,
                            double usable);

}  // namespace plainformer
