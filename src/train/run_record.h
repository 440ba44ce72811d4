// run.json: the options and the data of a run, so that it can be repeated and resumed.
#pragma once

#include "model_folder/model_folder.h"
#include "train/corpora.h"
#include "train/settings.h"

namespace plainformer {

// Writes all options of the run as arguments (see to_arguments; bytes that are not UTF-8 become U+FFFD, so
// such a path must be given again to resume), the version, kernels, plain operations and threads, and the
// checksums of the data. The record of a resumed run replaces the earlier one, but keeps the kernels and the
// plain operations with which the run began.
void write_run_record(const ModelFolder& folder, const Settings& settings, const Corpora& corpora);

// The settings of the run in the folder. std::runtime_error if run.json is missing or damaged, or has an
// option that this version lacks.
Settings read_run_settings(const ModelFolder& folder);

// Prints one line on stderr for kernels, and one for plain operations, that are not those with which the run
// in the folder began, because only the same ones give the same bits.
void warn_of_other_bits(const ModelFolder& folder);

// std::runtime_error unless the run in the folder began with the same text.
void check_same_data(const ModelFolder& folder, const Corpora& corpora);

}  // namespace plainformer
