// Paper: 5.2 Hardware and Schedule (the memory of a step)
//
// The tensors that exist during a training step, from the shapes alone. Left out: the program itself, the
// text and its batches, vectors of lengths and of masks, and what the storage keeps free for the next tensor
// (core/storage.h: at most an eighth of each block, and blocks of other sizes).
#pragma once

#include <cstdint>

#include "train/costs/batch_shape.h"
#include "train/costs/training_method.h"
#include "transformer/config.h"

namespace plainformer {

// All sizes are in bytes.
struct TrainingMemory {
  // These tensors exist all the time.
  std::int64_t weights = 0, gradients = 0, moments = 0;  // moments: Adam's two
  std::int64_t positions = 0;                            // the table of sines and cosines

  // The forward pass keeps these for the backward pass: all layers' caches; with `recompute` only the layers' inputs.
  std::int64_t activations = 0;

  // The loss: a block of logits (the plain way: all of them, and their gradients), and the gradient of the
  // decoder's output.
  std::int64_t loss = 0;

  // The backward pass, after the loss: gradients between the layers and within one; with `recompute` also
  // what that layer keeps.
  std::int64_t layer_again = 0, gradients_between = 0;

  // Packed factors and tiles: the first piece of each thread (core/scratch.h), of which the system provides
  // only the pages that are touched.
  std::int64_t scratch = 0;

  std::int64_t tensors_at_peak() const;  // without the scratch
};

TrainingMemory training_memory(const ModelConfig& config, const BatchShape& batch,
                               const TrainingMethod& method, int threads);

}  // namespace plainformer
