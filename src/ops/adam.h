// Paper: 5.3 Optimizer (Adam: Kingma & Ba 2015, algorithm 1)
//
//   m = beta_1 m + (1 - beta_1) g          v = beta_2 v + (1 - beta_2) g^2
//   value -= learning_rate * (m / (1 - beta_1^t)) / (sqrt(v / (1 - beta_2^t)) + epsilon)
#pragma once

#include "core/parameter.h"

namespace plainformer {

struct AdamUpdate {
  double learning_rate = 0, beta_1 = 0, beta_2 = 0, epsilon = 0;
  double t = 1;           // the number of this update, counted from 1
  double grad_scale = 1;  // g is the gradient times this (clipping)
};

// Updates one parameter and its moments m and v. All tensors have the parameter's shape.
void adam_update(Parameter& parameter, Tensor& first_moment, Tensor& second_moment, const AdamUpdate& update);

}  // namespace plainformer
