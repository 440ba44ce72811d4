// run.json: what a run was told and what it was given, so that it can be repeated, and resumed.
#pragma once

#include "app/command_line.h"
#include "app/model_folder/model_folder.h"
#include "app/train/training_data.h"

namespace plainformer {

// All options of the run, as arguments (to_arguments; one that is not valid UTF-8 as an array of its bytes),
// the version, seed, kernels and threads, the model's sizes, and checksums of the training text and of the
// validation text. The record of a resumed run replaces that of the run that it goes on with, but for the
// kernels that this one began with.
void write_run_record(const ModelFolder& folder, const TrainSettings& settings, const TrainingText& text);

// The arguments of the run in the folder. std::runtime_error if there is none, or run.json cannot be read.
Arguments read_run_arguments(const ModelFolder& folder);

// One line on stderr if the run in the folder began with another table of kernels: only with the same one
// does it come to the same bits.
void warn_of_other_kernels(const ModelFolder& folder);

// std::runtime_error if the text is not what the run in the folder began with.
void check_same_data(const ModelFolder& folder, const TrainingText& text);

}  // namespace plainformer
