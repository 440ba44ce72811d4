// Paper: 6.2 Model Variations, Table 3 (its measures on the development set)
//
// How good a model is on the validation pairs while it is being trained.
#pragma once

#include <optional>
#include <string>

#include "app/train/training_data.h"
#include "training/trainer.h"

namespace plainformer {

struct Validation {
  double loss = 0;             // per target token, smoothed, in nats; infinite if it is not a number
  double perplexity = 0;       // per word piece, without smoothing
  std::optional<double> bleu;  // 0 to 100; none if nothing was, or could be, translated
};

// Of the trainer's model: loss and perplexity of data.valid in batches of `batch_tokens`, and BLEU as
// `plainformer translate` and `plainformer bleu` would count it on data.valid_bleu. Changes nothing.
Validation validate(const Trainer& trainer, const Transformer& model, const TrainingData& data,
                    Index batch_tokens);

// "validation loss 2.871, perplexity 8.912, BLEU 31.2"
std::string to_string(const Validation& validation);

}  // namespace plainformer
