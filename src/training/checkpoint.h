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
#include "training/training_progress.h"
#include "transformer/transformer.h"

namespace plainformer {

// The weights alone, as model.safetensors holds them.
std::vector<NamedTensor> weights_of(Transformer& model);

// Puts the weights into the model. Throws std::runtime_error, which names `where`, if a tensor is missing,
// has another shape or is not finite, or if there are too many; then the model is unchanged.
void load_weights(Transformer& model, const std::vector<NamedTensor>& tensors, const std::string& where);

// The weights and the optimizer's moments; and the progress, as metadata.
std::vector<NamedTensor> training_state_of(Transformer& model, const Adam& adam);
Metadata progress_to_metadata(const Adam& adam, const TrainingProgress& progress);

// Restores the state that the two functions above returned. Errors as in load_weights.
TrainingProgress load_training_state(Transformer& model, Adam& adam, const std::vector<NamedTensor>& tensors,
                                     const Metadata& metadata, const std::string& where);

}  // namespace plainformer
