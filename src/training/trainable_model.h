// Beyond the paper: a model that train() trains need not be the Transformer.
#pragma once

#include <concepts>

#include "core/parameter.h"
#include "ops/cross_entropy.h"
#include "transformer/dropout_state.h"
#include "transformer/token_batch.h"

namespace plainformer {

// The contract of a model that train() trains. Transformer keeps it, the wrappers RDrop and
// RecomputingTransformer keep it, and so may a class of your own: one that reads the source only, or that has
// other layers.
//
//   Cache                   what a forward pass leaves for the backward pass
//   forward                 -> the output that the loss is computed from. It may read part of the batch only
//   loss_forward_backward   the loss of a batch, summed over its targets. Sets grad_output to the gradient of
//                           grad_loss times that loss, and adds to the gradients of the parameters that the
//                           loss uses
//   backward                adds to the gradients of all other parameters
//   parameters              all of them, always in the same order
template <typename Model>
concept TrainableModel = requires(Model& model, typename Model::Cache& cache, const TranslationBatch& batch,
                                  const DropoutState& dropout, Tensor& output, Tensor& grad_output,
                                  Real grad_loss, double smoothing) {
  { model.forward(batch.source, batch.target_input, dropout, cache) } -> std::same_as<Tensor>;
  {
    model.loss_forward_backward(grad_loss, output, batch, smoothing, grad_output)
    } -> std::same_as<CrossEntropy>;
  model.backward(grad_output, cache);
  { model.parameters() } -> std::same_as<ParameterList>;
};

}  // namespace plainformer
