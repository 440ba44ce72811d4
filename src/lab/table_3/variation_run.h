// One training run of a variation, and what came out of it.
#pragma once

#include <optional>
#include <string>

#include "runs/train_settings.h"

namespace plainformer {

// The measures of Table 3: on the validation text, with beam search, without an average of checkpoints.
struct VariationResult {
  double perplexity = 0;  // per word piece
  double bleu = 0;        // 0 to 100
  double parameters = 0;  // the number of weights
  double seconds = 0;     // of the whole run: reading, training, measuring
};

// The result in the folder of a run that came to its end; nullopt for any other. input_error if the file is
// damaged.
std::optional<VariationResult> read_variation_result(const std::string& folder);

// Writes the result into the folder of its run.
void write_variation_result(const std::string& folder, const VariationResult& result);

// Trains into settings.out, or goes on with the run there; then measures, writes the result, and removes the
// checkpoints. Returns the signal that stopped the training, or 0.
int run_variation(TrainSettings settings);

}  // namespace plainformer
