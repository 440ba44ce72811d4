// Paper: 4 Why Self-Attention (Table 1) and 6.1 Machine Translation (Table 2, the training cost)
//
// The account of a training step as tables.
#pragma once

#include <string>

#include "train/training_cost.h"

namespace plainformer {

struct MachineLimits {
  std::string kernels;
  int threads = 1;
  double operations_a_second = 0;
};

struct CostReport {
  std::string name;  // the model: "base", or its folder
  ModelConfig config;
  BatchShape batch;
  bool recompute = false;
  Index steps = 0;  // steps of the whole training; 0: unknown
  MachineLimits machine;

  TrainingMethod method() const { return TrainingMethod::in_use(config.vocab, recompute); }
  TrainingCost cost() const { return training_cost(config, batch, method()); }
  TrainingMemory memory(bool recomputed) const;
  double step_operations() const { return training_operations(config, batch); }  // counted by the equations
};

// "We estimate the number of floating point operations used to train a model by multiplying the training
// time, the number of GPUs used, and an estimate of the sustained single-precision floating-point capacity of
// each GPU" (footnote 5: 9.5 TFLOPS for a P100). So the paper's number is the work that the GPUs could have
// done in that time. It does not count the work that the model needs.
struct PaperTraining {
  double seconds, gpus, operations_a_second;

  double operations() const { return seconds * gpus * operations_a_second; }
};

inline constexpr PaperTraining kPaperBase = {12 * 3600.0, 8, 9.5e12};       // 12 hours
inline constexpr PaperTraining kPaperBig = {3.5 * 24 * 3600.0, 8, 9.5e12};  // 3.5 days

// One training step that ran.
struct MeasuredStep {
  double peak_bytes = 0;  // the bytes of tensors, at the fullest moment
  double seconds = 0;
};

// Table 1: the layer types, as formulas and as numbers for a sequence of n words of width d.
std::string layer_table(Index n, Index d);

// The account; the step that ran is another text, because it comes later.
std::string to_text(const CostReport& report);
std::string to_text(const CostReport& report, const MeasuredStep& step);

}  // namespace plainformer
