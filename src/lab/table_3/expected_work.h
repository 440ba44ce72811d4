// How much longer than the base a variation will train, before anybody has tried it.
#pragma once

#include "runs/train_settings.h"

namespace plainformer {

// Matrix products of a whole training of a variation over those of the base, on sentences of 25 tokens.
// base_parameters: of the base that was trained, from which its vocabulary follows.
double work_beside_base(const TrainSettings& variation, const TrainSettings& base, double base_parameters);

}  // namespace plainformer
