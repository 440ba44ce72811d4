// The options of `plainformer train`: names, help and where their values go.
#pragma once

#include "command_line/command_line.h"
#include "train/train_settings.h"

namespace plainformer {

// --preset and the model's sizes.
void add_model_options(CommandLine& line, TrainSettings& settings);

// Adds the options of data, model, training and checkpoints, all but the folder's and the run's.
void add_recipe_options(CommandLine& line, TrainSettings& settings);

// All of them. The command line refers to the settings.
CommandLine train_command_line(TrainSettings& settings);

}  // namespace plainformer
