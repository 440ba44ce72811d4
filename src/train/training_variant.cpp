#include "train/training_variant.h"

#include <memory>
#include <utility>

#include "ops/r_drop.h"
#include "training/first_not_finite.h"
#include "training/recomputing_passes.h"
#include "training/targets.h"
#include "training/twice.h"

namespace plainformer {

namespace {

// Two passes over a batch as one: R-Drop compares them.
ModelPasses over_the_batch_twice(ModelPasses passes) {
  const auto forward = passes.forward;
  passes.forward = [forward](const TranslationBatch& batch, Index tokens, const DropoutState& dropout) {
    return forward(twice(batch), tokens, dropout);
  };
  return passes;
}

Loss r_drop_loss(const RDropOptions& options) {
  return [options](const Tensor& decoder_output, Parameter& embedding, const TranslationBatch& batch,
                   Index tokens, Tensor& grad_decoder_output) {
    return r_drop_forward_backward(1 / static_cast<Real>(tokens), options, decoder_output, embedding,
                                   targets_of(batch.target_output), grad_decoder_output);
  };
}

}  // namespace

TrainingVariant training_variant(Transformer& model, const TrainSettings& settings) {
  const double smoothing = settings.training.label_smoothing;
  TrainingVariant variant = {.passes = settings.recompute ? recomputing_passes(model) : passes_of(model),
                             .loss = smoothed_cross_entropy(smoothing)};
  if (settings.r_drop > 0) {
    variant.passes = over_the_batch_twice(std::move(variant.passes));
    variant.loss = r_drop_loss({.alpha = settings.r_drop, .smoothing = smoothing});
  }
  return variant;
}

ModelPasses recomputing_passes(Transformer& model) {
  const auto passes = std::make_shared<RecomputingPasses>(model);
  return {.forward = [passes](const TranslationBatch& batch, Index,
                              const DropoutState& dropout) { return passes->forward(batch, dropout); },
          .backward = [passes](const Tensor& grad_decoder_output) { passes->backward(grad_decoder_output); },
          .first_not_finite = [passes] { return first_not_finite_output(passes->cache()); }};
}

}  // namespace plainformer
