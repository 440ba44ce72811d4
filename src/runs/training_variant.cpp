#include "runs/training_variant.h"

#include <memory>
#include <optional>
#include <utility>

#include "beyond/attention_regularization.h"
#include "beyond/layer_drop.h"
#include "beyond/r_drop.h"
#include "beyond/recomputing_passes.h"
#include "beyond/twice.h"
#include "training/first_not_finite.h"
#include "training/targets.h"

namespace plainformer {

namespace {

// Each pass through some of the layers only.
ModelPasses with_layer_drop(ModelPasses passes, Transformer& model, double probability) {
  const auto shallower = std::make_shared<std::optional<ShallowerModel>>();
  return {.forward =
              [=, &model](const TranslationBatch& batch, Index tokens, const DropoutState& dropout) {
                shallower->emplace(model, probability, dropout);
                return passes.forward(batch, tokens, dropout);
              },
          .backward =
              [=](const Tensor& grad_decoder_output) {
                passes.backward(grad_decoder_output);
                shallower->reset();
              },
          .first_not_finite =
              [=] {
                shallower->reset();
                return passes.first_not_finite() + " (numbered among the layers that layer drop kept)";
              }};
}

// Two passes over a batch as one: R-Drop compares them.
ModelPasses over_the_batch_twice(ModelPasses passes) {
  const auto forward = passes.forward;
  passes.forward = [forward](const TranslationBatch& batch, Index tokens, const DropoutState& dropout) {
    return forward(twice(batch), tokens, dropout);
  };
  return passes;
}

// Dropped and penalized attention weights. The penalty is a mean over the tokens of all passes, like the loss.
ModelPasses with_attention_regularization(ModelPasses passes, const Transformer& model,
                                          const TrainSettings& settings) {
  const Real weight_dropout = static_cast<Real>(settings.training.attention_dropout);
  const Real head_dropout = static_cast<Real>(settings.head_dropout);
  const double penalty = settings.attention_penalty / (settings.r_drop > 0 ? 2 : 1);
  const int first_decoder_site = model.decoder.layers.front().self_attention_norm.site();
  const auto forward = passes.forward;
  passes.forward = [=](const TranslationBatch& batch, Index tokens, DropoutState dropout) {
    dropout.attention_hook = hooks_of({.weight_dropout = weight_dropout,
                                       .head_dropout = head_dropout,
                                       .penalty = static_cast<Real>(penalty / static_cast<double>(tokens))},
                                      {.first_decoder_site = first_decoder_site,
                                       .source = batch.source.lengths,
                                       .target = batch.target_input.lengths});
    return forward(batch, tokens, dropout);
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
  if (settings.head_dropout > 0 || settings.attention_penalty > 0)
    variant.passes = with_attention_regularization(std::move(variant.passes), model, settings);
  if (settings.layer_drop > 0)
    variant.passes = with_layer_drop(std::move(variant.passes), model, settings.layer_drop);
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
