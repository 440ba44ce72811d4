// A recipe for a text of one's own, chosen by its number of pairs.
#pragma once

#include <functional>
#include <string>

#include "command_line/command_line.h"
#include "core/real.h"
#include "train/train_settings.h"

namespace plainformer {

struct TextRecipe {
  Arguments options;   // of `train`, beginning with the preset
  std::string reason;  // why it suits a text of this length: "little text, so ..."
};

// The recipe for this number of training pairs. From 10,000 to 99,999 pairs it is the preset tiny, which
// translates its validation text.
TextRecipe recipe_for_text(Index pairs);

// The recipe to go on from a trained model with this number of pairs: it says nothing of sizes and merges, which are the
// model's.
TextRecipe recipe_to_go_on(Index pairs);

// The recipe for this number of training pairs in a limited time: the one above, or where less than a tenth of its steps
// fit, the one for fewer pairs, whose steps are shorter.
//   steps_that_fit   of a recipe, in the time
TextRecipe recipe_that_fits(Index pairs, const std::function<Index(const TextRecipe&)>& steps_that_fit);

// Options that make of a run with these settings one that ends after so many steps: a warm-up of a fifth of them, with the
// same peak of the learning rate (5.3), at least ten checkpoints, and at least so many validations. None where all steps
// fit.
Arguments options_for_steps(const TrainSettings& settings, Index steps, Index validations);

// The options of the recipe for the text of a training run with these arguments, which replace those of the recipe.
// Prints the recipe on stderr. There is none if the arguments name a preset or no files of pairs. If they give --steps,
// these are made, and the recipe has neither --patience nor --best-by. With --minutes, a few steps
// measure how many fit in them, and the recipe is made for these. Reads the text to count it, with the errors of load_corpora.
Arguments recipe_for_run(const Arguments& arguments);

}  // namespace plainformer
