// Paper: 6.2 Model Variations (the models of Table 3)
//
// The presets: base and big are the paper's models, with the training of chapter 5. The others are smaller
// models, with a recipe for less text.
#pragma once

#include <optional>
#include <string>

#include "training/training_options.h"
#include "transformer/config.h"

namespace plainformer {

// The sizes of a model, and everything but the text that its training takes. The defaults suit a model and a
// text of medium size.
struct Recipe {
  ModelConfig model = {};  // vocab follows from the text
  TrainingOptions training = {};

  Index merges = 8000;        // merges of byte pair encoding, joint for both languages (5.1)
  Index batch_tokens = 4096;  // source tokens, and as many target tokens, in a batch (5.1)
  Index max_tokens = 256;     // training leaves out longer sentences
  Index keep = 5;             // checkpoints kept, and averaged at the end (6.1)
  Index valid_bleu = 0;       // at most this many validation pairs are translated at each validation

  // The built-in grammar.
  Index toy_pairs = 0;       // for training
  Index toy_held_out = 500;  // for validation, and as many again for the test
};

// page, nano, toy, parser, tiny, small, base or big; nullopt for another name.
std::optional<Recipe> preset_recipe(const std::string& name);

}  // namespace plainformer
