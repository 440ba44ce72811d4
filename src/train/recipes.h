// The defaults of a training run for a text of one's own: a recipe for its number of pairs, and the sizes of
// the model that the run goes on from.
#pragma once

#include <string>

#include "core/real.h"
#include "model_folder/model_folder.h"
#include "train/settings.h"

namespace plainformer {

struct TextRecipe {
  Settings settings;   // a preset, and changes to it
  std::string reason;  // why it suits a text of this length: "little text, so ..."
};

// The recipe for this number of training pairs. From 10,000 to 99,999 pairs it is tiny with R-Drop.
//   copies_numbers   many pairs have the same numbers or codes on both sides: below 1,000 pairs, less dropout
TextRecipe recipe_for_text(Index pairs, bool copies_numbers = false);

// "--preset toy --merges 1000": a preset, and the options that differ from it.
std::string describe_recipe(const Settings& settings);

// Takes sizes, merges and word rule from a model.
void use_model(const LoadedModel& model, Settings& settings);

// Makes the settings of a run that begins. The preset that the arguments name gives their defaults; without
// one, the recipe for the text does, which a line on stderr describes. With --steps it has no --patience, and
// where nothing is validated no --best-by either. A model to go on from replaces the sizes.
// Errors of load_corpora and load_model.
Settings settings_of_new_run(const Arguments& arguments);

// Makes the settings of a run that goes on: the options of the earlier run, which those given now replace.
// UsageError if the model depends on one of these. With --steps and without --patience, all steps are made.
//   now    what `given` says alone
Settings settings_of_resumed_run(const Arguments& given, const Settings& now);

}  // namespace plainformer
