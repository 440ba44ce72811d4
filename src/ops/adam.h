// Paper: 5.3 Optimizer (Adam: Kingma & Ba 2015, algorithm 1)
//
//   m = beta_1 m + (1 - beta_1) g          v = beta_2 v + (1 - beta_2) g^2
//   value -= learning_rate * (m / (1 - beta_1^t)) / (sqrt(v / (1 - beta_2^t)) + epsilon)
//
// in update t, counted from 1.
#pragma once

#include <vector>

#include "core/parameter.h"

namespace plainformer {

struct AdamOptions {
  double beta_1 = 0.9, beta_2 = 0.98, epsilon = 1e-9;  // the paper's
};

// One update of all parameters.
struct AdamUpdate {
  double t = 1;
  double learning_rate = 0;
  double grad_scale = 1;  // multiplies each gradient first (clipping)
};

// Updates one parameter and its moments m and v. All tensors have the parameter's shape; g is its gradient
// times update.grad_scale.
void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment,
                 const AdamOptions& options, const AdamUpdate& update);

// The moments of all parameters, and the number of updates.
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
