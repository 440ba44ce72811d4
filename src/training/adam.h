// Paper: 5.3 Optimizer
//
// The state of Adam: its moments for all parameters, and the number of updates. ops/adam.h has the equation.
#pragma once

#include "ops/adam.h"

namespace plainformer {

struct AdamOptions {
  double beta_1 = 0.9, beta_2 = 0.98, epsilon = 1e-9;  // the paper's
};

// The numbers of update t, counted from 1, computed in double and then rounded to Real.
AdamStep adam_step(const AdamOptions& options, double t, double learning_rate, double grad_scale);

class Adam {
 public:
  // Keeps no reference to the parameters: each step must pass the same list.
  Adam(const ParameterList& parameters, const AdamOptions& options);

  // One update from the gradients, each multiplied by grad_scale first (clipping; 1 for none).
  void step(const ParameterList& parameters, double learning_rate, double grad_scale);

  Index steps() const { return steps_; }  // t: updates so far

  // The state, for checkpoints: a first and a second moment for each parameter, in the order of the list.
  const std::vector<Tensor>& first_moments() const { return first_moments_; }
  const std::vector<Tensor>& second_moments() const { return second_moments_; }
  void restore(Index steps, std::vector<Tensor> first_moments, std::vector<Tensor> second_moments);

 private:
  AdamOptions options_;
  Index steps_ = 0;
  std::vector<Tensor> first_moments_, second_moments_;  // m, v
};

}  // namespace plainformer
