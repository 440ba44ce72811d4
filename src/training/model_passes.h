// Paper: 5 Training (the passes through the model)
//
// The forward pass of a training step and its backward pass. The paper's are those of Transformer. A variant, such as
// one that leaves layers out, wraps them or has its own.
#pragma once

#include <functional>
#include <string>

#include "transformer/transformer.h"
#include "transformer/translation_batch.h"

namespace plainformer {

struct ModelPasses {
  // -> decoder_output [batch, target_len, d_model]
  //   tokens   the target tokens of all batches of the step, over which its loss is a mean
  std::function<Tensor(const TranslationBatch& batch, Index tokens, const DropoutState& dropout)> forward;

  // The backward pass of the latest forward pass. Adds to the gradients of all parameters.
  //   grad_decoder_output [batch, target_len, d_model]
  std::function<void(const Tensor& grad_decoder_output)> backward;

  // The first output of the latest forward pass that is not finite, or "the loss". Takes the place of backward.
  std::function<std::string()> first_not_finite;
};

// Transformer::forward and Transformer::backward, with a cache of their own. Refers to the model.
ModelPasses passes_of(Transformer& model);

}  // namespace plainformer
