// A recipe for a text of one's own, chosen by its number of pairs.
#pragma once

#include <string>

#include "command_line/command_line.h"
#include "core/real.h"

namespace plainformer {

struct TextRecipe {
  Arguments options;   // of `train`, beginning with the preset
  std::string reason;  // why it suits a text of this length: "little text, so ..."
};

// The recipe for this number of training pairs. From 10,000 to 99,999 pairs it is the preset tiny.
TextRecipe recipe_for_text(Index pairs);

// The arguments of a training run, and before them the recipe for its text, so that an option given by the user wins.
// Prints the recipe on stderr. Nothing is added and printed if the arguments name a preset or no files of pairs. If
// they give --steps, these are made, and the recipe has no --patience. Reads the text to count it, with the errors of
// load_corpora.
Arguments with_recipe_for_text(const Arguments& arguments);

}  // namespace plainformer
