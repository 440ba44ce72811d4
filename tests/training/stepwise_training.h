// The training loop, one step at a time.
#pragma once

#include "training/training_loop.h"

namespace plainformer {

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
