// The options of `train` that compare validations.
#pragma once

#include "train/train_settings.h"

namespace plainformer {

// Checks --valid-bleu, --best-by and --patience. Throws std::runtime_error, which names the option and its range, or
// UsageError if an option needs validations or translations and there are none.
void check_validation_options(const TrainSettings& settings);

}  // namespace plainformer
