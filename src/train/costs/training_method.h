// How a training step is computed, as far as its cost depends on it.
#pragma once

#include "core/real.h"
#include "ops/ways.h"

namespace plainformer {

struct TrainingMethod {
  // Equation (1). The plain way multiplies every query by every key, masked or not, and keeps the weights.
  // The fast way multiplies as many queries together as make a tile, by the keys up to the last one that the
  // tile sees, and computes the scores again in its backward pass.
  Way attention = Way::kPlain;
  Index queries_of_tile = 1;

  // The loss. The plain way keeps all logits and their gradients, the fast way a block of rows.
  Way cross_entropy = Way::kPlain;
  Index rows_of_logits = 1;

  bool recompute = false;  // the backward pass repeats each layer's forward pass

  // The products that the equations write: whole squares of scores, and each product once. Forward takes mnk
  // multiply-adds for [m, k] times [k, n], and backward 2mnk: one such product for each factor's gradient.
  static TrainingMethod of_equations() { return {}; }

  // The ways, and the kernels, in use; `vocab` decides how many rows of logits are kept.
  static TrainingMethod in_use(Index vocab, bool recompute);
};

}  // namespace plainformer
