// Paper: 5.3 Optimizer (Adam: Kingma & Ba 2015, algorithm 1)
//
//   m = beta_1 m + (1 - beta_1) g          v = beta_2 v + (1 - beta_2) g^2
//   value -= learning_rate * (m / (1 - beta_1^t)) / (sqrt(v / (1 - beta_2^t)) + epsilon)
//
// in update t, counted from 1.
#pragma once

#include "core/parameter.h"
#include "kernels/adam_step.h"

namespace plainformer {

// Updates one parameter and its moments m and v. All tensors have the parameter's shape; g is its gradient times
// step.grad_scale.
void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment, const AdamStep& step);

}  // namespace plainformer
