// The state of a training run, as named tensors and strings, so that it can continue exactly where it
// stopped.
//
// Weights have their public names; Adam's moments have the same names with the prefix "adam.first_moment." or
// "adam.second_moment.". The tensors share their storage with the model, so nothing is copied. The caller
// writes them to a file.
#pragma once

#include <string>
#include <vector>

#include "core/named_tensor.h"
#include "training/adam.h"
#include "training/training_options.h"
#include "transformer/transformer.h"

namespace plainformer {

// The weights and the optimizer's moments; and the progress, as metadata.
std::vector<NamedTensor> training_state_of(Transformer& model, const Adam& adam);
Metadata progress_to_metadata(const Adam& adam, const TrainingProgress& progress);

// Restores the state that the two functions above returned. Errors as in load_weights; then nothing is changed.
TrainingProgress load_training_state(Transformer& model, Adam& adam, const std::vector<NamedTensor>& tensors,
                                     const Metadata& metadata, const std::string& where);

}  // namespace plainformer
