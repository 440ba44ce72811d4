// Paper: 5 Training
//
// The loop: take batches, forward, loss, backward, clip, update, report, validate, save. It knows nothing of
// files, progress bars and signals: the program adds them through hooks.
#pragma once

#include <functional>
#include <string>

#include "training/adam.h"
#include "training/loss.h"
#include "training/model_passes.h"
#include "training/training_options.h"
#include "training/training_progress.h"
#include "transformer/transformer.h"
#include "transformer/translation_batch.h"

namespace plainformer {

// The source of the batches.
struct BatchSource {
  // Shuffles the batches for an epoch and returns their number, at least 1. An epoch always has the same
  // order, so that a resumed run can continue in the middle of it.
  std::function<Index(Index epoch)> begin_epoch;
  // The batch at this index in the epoch's order.
  std::function<TranslationBatch(Index index)> batch;
};

struct StepReport {
  double loss = 0;             // per target token, smoothed, in nats
  double log_probability = 0;  // per target token, without smoothing, in nats
  Index source_tokens = 0, target_tokens = 0;
  double learning_rate = 0;
  double grad_norm = 0;  // before clipping
  double seconds = 0;    // from the first forward pass to the update
  // The first tensor of the step that is not finite, such as "the output of encoder.0.feed_forward" or "the
  // gradient of decoder.1.self_attention.w_q". Such a step is skipped: it changes no weight. Empty if the
  // step was made.
  std::string not_finite = {};
  bool skipped() const { return !not_finite.empty(); }

  // Adds a batch's share to loss and log_probability.
  StepReport& operator+=(const CrossEntropy& sums) {
    loss += sums.loss / static_cast<double>(target_tokens);
    log_probability += sums.log_probability / static_cast<double>(target_tokens);
    return *this;
  }
};

// The loop calls these functions of the program. A hook may throw to end the training.
struct TrainingHooks {
  std::function<bool()> stop = [] { return false; };                  // asked before each step
  std::function<void(const StepReport&)> after_step = [](auto&&) {};  // also after a skipped step
  std::function<void()> validate = [] {};                             // every options.validate_every steps
  std::function<void()> save_checkpoint = [] {};                      // every options.checkpoint_every steps

  // What a variant of the paper's step computes (src/beyond). Empty: the paper's.
  ModelPasses passes = {};
  Loss loss = {};
};

// A model as the loop sees it.
struct TrainedModel {
  ParameterList parameters;
  Parameter& embedding;  // of the output projection, which is part of the loss
  ModelPasses passes;
};

// Trains the model until options.steps updates are made or hooks.stop() returns true. A run that continues
// with the model, adam and progress of a stopped one ends with the same bits as a run that was never stopped.
// At its end, an epoch whose batches are all used counts as a complete one.
void train(Transformer& model, Adam& adam, TrainingProgress& progress, const TrainingOptions& options,
           const BatchSource& source, const TrainingHooks& hooks);

// Trains another model than the paper's in the same way. It brings its own passes, not those of the hooks.
void train(const TrainedModel& model, Adam& adam, TrainingProgress& progress, const TrainingOptions& options,
           const BatchSource& source, const TrainingHooks& hooks);

// The sums of the loss over a batch, without dropout. Leaves the model unchanged.
CrossEntropy evaluate(const Transformer& model, const TranslationBatch& batch, double label_smoothing);

}  // namespace plainformer
