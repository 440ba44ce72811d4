// What a training run must keep to go on exactly where it stopped, as named tensors and strings.
//
// Weights stand under their public names, Adam's moments under "adam.first_moment." and "adam.second_moment."
// before the same names. Who writes them to a file is somebody else's business: tensors share their storage
// with the model, so nothing is copied here.
#pragma once

#include <string>
#include <vector>

#include "core/named_tensor.h"
#include "transformer/transformer.h"
#include "training/trainer.h"

namespace plainformer {

// How far a run has come.
struct TrainingProgress {
  Index epoch = 0;       // complete passes over the data
  Index batch = 0;       // batches of this epoch already used
  double best_loss = 0;  // the lowest validation loss so far; meaningless before the first validation
  Index best_step = 0;   // where it was reached; 0: never validated
};

// The weights alone, as model.safetensors holds them.
std::vector<NamedTensor> weights_of(Transformer& model);

// Puts the weights into the model. std::runtime_error that names `where` and the tensor if one is missing,
// left over, of another shape, or not finite; then the model is unchanged.
void load_weights(Transformer& model, const std::vector<NamedTensor>& tensors, const std::string& where);

// The weights and the optimizer's state; and the progress as metadata.
std::vector<NamedTensor> training_state_of(Transformer& model, const Trainer& trainer);
Metadata progress_to_metadata(const Trainer& trainer, const TrainingProgress& progress);

// Restores what the two functions above gave. Errors as in load_weights.
TrainingProgress load_training_state(Transformer& model, Trainer& trainer,
                                     const std::vector<NamedTensor>& tensors, const Metadata& metadata,
                                     const std::string& where);

}  // namespace plainformer
