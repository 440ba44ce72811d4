// The norms (3.1) and the first steps (5.3), measured.
//
// The model of preset toy with the norms in other places, or with other norms, trained on the built-in grammar at any rates.
#pragma once

#include <functional>
#include <optional>
#include <variant>

#include "beyond/batch_norm_transformer.h"
#include "beyond/pre_norm_transformer.h"
#include "lab/experiments/translator_training.h"

namespace plainformer {

enum class NormKind { kPostNorm, kPreNorm, kBatchNorm };  // the first is the paper's

const char* name_of(NormKind kind);

// The learning rates of a training run: factor times those of equation (3) for preset toy, or without its warm-up: the
// peak from step 1 on until the warm-up would end.
struct NormRates {
  double peak = 0;  // of equation (3)
  Index warmup_steps = 0;
  bool warms_up = true;
  double factor = 1;

  double at(Index step) const;  // steps count from 1
};

double toy_peak_rate();  // of preset toy
NormRates toy_rates(double peak, bool warms_up, double factor = 1);

struct NormResult {
  double training_loss = 0;  // per token, smoothed, with dropout: the mean of the latest 20 steps
  double loss = 0;           // of the validation text, per token, without smoothing, in nats
  double exact = 0;          // percent of the test's sentences that are the reference, word for word
  // Batch norm only: that loss when the norms take the moments of the validation text itself, in batches of the training's
  // size, and in batches of one sentence.
  std::optional<double> loss_by_batch = {}, loss_by_sentence = {};
};

class NormTraining {
 public:
  // Keeps a reference to the text.
  NormTraining(NormKind kind, const NormRates& rates, TranslatorText& text);
  NormTraining(const NormTraining&) = delete;

  // Goes on until so many steps are made, or until ten steps had numbers that are not finite. Calls after_step after each.
  void train_until(Index steps, const std::function<void()>& after_step);

  // Measures the model. The losses of one that is not finite are infinite.
  NormResult test() const;

 private:
  NormRates rates_;
  TranslatorText& text_;
  TrainingOptions options_;
  std::variant<Transformer, PreNormTransformer, BatchNormTransformer> model_;
  Adam adam_;
  TrainingProgress progress_ = {};
  TrainingBatches batches_;
  std::vector<double> losses_;  // of the steps
  Index skipped_ = 0;
};

}  // namespace plainformer
