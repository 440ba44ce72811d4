// Paper: 5 Training
//
// One step: forward, smoothed loss, backward, clipping if asked for, Adam.
#pragma once

#include "transformer/transformer.h"
#include "transformer/translation_batch.h"
#include "ops/cross_entropy.h"
#include "training/adam.h"
#include "training/learning_rate.h"

namespace plainformer {

struct TrainingOptions {
  double dropout = 0.1;          // P_drop
  double label_smoothing = 0.1;  // epsilon_ls
  LearningRateSchedule learning_rate;
  AdamOptions adam;
  double clip_norm =
      0;  // gradients longer than this are scaled down to it; 0: never (the paper has no clipping)
  bool recompute = false;  // keep each layer's input only: less memory, more time, the same bits
  std::uint64_t seed = 1;

  // std::runtime_error that names the option and what would fit.
  void validate() const;
};

struct StepReport {
  double loss = 0;             // per target token, smoothed, in nats
  double log_probability = 0;  // per target token, without smoothing, in nats
  Index source_tokens = 0, target_tokens = 0;
  double learning_rate = 0;
  double grad_norm = 0;  // before clipping
  // What is not finite, the first of all that a step keeps, such as "the output of encoder.0.feed_forward" or
  // "the gradient of decoder.1.self_attention.w_q": then nothing was changed. Empty: the step was made.
  std::string not_finite = {};
  bool skipped() const { return !not_finite.empty(); }
};

class Trainer {
 public:
  // Keeps a reference to the model, which it changes.
  Trainer(Transformer& model, const TrainingOptions& options);

  // One update from the batches together (gradient accumulation if there are several).
  StepReport step(const std::vector<TranslationBatch>& batches);

  // The sums of a forward pass without dropout; changes nothing.
  CrossEntropy evaluate(const TranslationBatch& batch) const;

  Index steps() const { return adam_.steps(); }

  // The state, for checkpoints.
  const Adam& adam() const { return adam_; }
  std::uint64_t attempts() const {
    return attempts_;
  }  // steps begun, skipped ones too: numbers the dropout masks
  void restore(Index steps, std::uint64_t attempts, std::vector<Tensor> first_moments,
               std::vector<Tensor> second_moments);

 private:
  void accumulate(const std::vector<TranslationBatch>& batches, StepReport& report);

  Transformer& model_;
  ParameterList parameters_;
  TrainingOptions options_;
  Adam adam_;
  Transformer::Cache cache_;
  std::uint64_t attempts_ = 0;
};

}  // namespace plainformer
