// Paper: 5 Training (the passes through the model)
//
// The forward pass of a training step and its backward pass. The paper's passes are Transformer::forward and
// Transformer::backward. A variant (src/beyond), such as one that leaves layers out, wraps them or brings its own.
#pragma once

#include <functional>
#include <string>

#include "transformer/transformer.h"
#include "transformer/translation_batch.h"

namespace plainformer {

struct ModelPasses {
  // -> decoder_output [batch, target_len, d_model]
  //   tokens   the target tokens of all batches of the step, over which its loss is a mean; the paper's pass needs no
  //            such number, a penalty on the attention does
  std::function<Tensor(const TranslationBatch& batch, Index tokens, const DropoutState& dropout)> forward;

  // The backward pass of the latest forward pass. Adds to the gradients of all parameters.
  //   grad_decoder_output [batch, target_len, d_model]
  std::function<void(const Tensor& grad_decoder_output)> backward;

  // The first output of the latest forward pass that is not finite, or "the loss". Called
  // instead of backward if the loss is not finite.
  std::function<std::string()> first_not_finite;
};

// Transformer::forward and Transformer::backward, with a cache of their own. Refers to the model.
ModelPasses passes_of(Transformer& model);

}  // namespace plainformer
