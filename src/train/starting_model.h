// Going on with other text: the trained model whose weights, sizes and text rules a training run starts with.
#pragma once

#include <string>

#include "command_line/command_line.h"
#include "model_folder/model_folder.h"
#include "train/train_settings.h"

namespace plainformer {

struct StartingModel {
  LoadedModel model;
  std::string checksum;  // of its weights, as model.safetensors has it; empty in the file of another program
};

// The options of `train` that give a new model the sizes, the merges and the words of the one in this folder. Errors
// of load_model.
Arguments model_options(const ModelFolder& folder);

// Reads the model of settings.from, which must not be empty. UsageError if the settings have other sizes, merges
// or words than the model. std::runtime_error, which names the file, if load_model refuses it, if the model is a parser and the
// text is no treebank, or if it is no parser and the text is one.
StartingModel load_starting_model(const TrainSettings& settings);

}  // namespace plainformer
