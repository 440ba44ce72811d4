// Paper: 5 Training
//
// One step: forward, smoothed loss, backward, clipping if asked for, Adam.
#pragma once

#include "model/transformer.h"
#include "model/translation_batch.h"
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
  bool skipped = false;  // loss or gradient was not finite: nothing was changed
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
  // "encoder.0.self_attention.w_q": the first parameter whose gradient is not finite, or "" if all are.
  std::string first_bad_gradient() const;

  // The state, for checkpoints.
  const Adam& adam() const { return adam_; }
  std::uint64_t attempts() const {
    return attempts_;
  }  // steps begun, skipped ones too: numbers the dropout masks
  void restore(Index steps, std::uint64_t attempts, std::vector<Tensor> first_moments,
               std::vector<Tensor> second_moments);

 private:
  Transformer& model_;
  ParameterList parameters_;
  TrainingOptions options_;
  Adam adam_;
  Transformer::Cache cache_;
  std::uint64_t attempts_ = 0;
};

}  // namespace plainformer
