// A model of a thousand weights, sentences to train it on, and the training loop, one step at a time.
#pragma once

#include "support/tensors.h"
#include "training/training_loop.h"
#include "transformer/token_batch.h"
#include "transformer/transformer.h"

namespace plainformer {

inline ModelConfig tiny_config() {
  ModelConfig config;
  config.d_model = 8;
  config.d_ff = 12;
  config.heads = 2;
  config.encoder_layers = config.decoder_layers = 1;
  config.vocab = 11;
  config.max_length = 16;
  return config;
}

inline TrainingOptions tiny_options(double dropout) {
  TrainingOptions options;
  options.dropout = dropout;
  options.learning_rate = {.d_model = 8, .warmup_steps = 20};
  return options;
}

// Each target is its source backwards, one token up.
inline std::vector<std::vector<int>> tiny_sources() {
  return {{4, 5, 6}, {7, 4}, {9, 8, 5, 4}, {6}};
}
inline std::vector<std::vector<int>> tiny_targets() {
  return {{7, 6, 5}, {5, 8}, {5, 6, 9, 10}, {7}};
}
inline TranslationBatch tiny_batch() {
  return TranslationBatch::from(tiny_sources(), tiny_targets());
}

inline std::vector<Tensor> weights(Transformer& model) {
  std::vector<Tensor> values;
  for (const NamedParameter& p : model.parameters()) values.push_back(p.parameter->value);
  return values;
}

template <typename Model>
struct StepwiseTraining {
  Model& model;
  TrainingOptions options;
  Adam adam;
  TrainingProgress progress = {};

  StepwiseTraining(Model& model_to_train, const TrainingOptions& training_options)
      : model(model_to_train), options(training_options), adam(model.parameters(), options.adam) {}

  // One step from all the batches, which make an epoch of their own. It may be skipped.
  StepReport step(const std::vector<TranslationBatch>& batches) {
    options.accumulate = std::ssize(batches);
    const Index attempts_before = progress.attempts;
    StepReport report;
    TrainingHooks hooks;
    hooks.stop = [&] { return progress.attempts > attempts_before; };
    hooks.after_step = [&](const StepReport& step_report) { report = step_report; };
    train(model, adam, progress, options,
          {.begin_epoch = [&](Index) { return std::ssize(batches); },
           .batch = [&](Index index) { return batches[index]; }},
          hooks);
    return report;
  }
};

}  // namespace plainformer
