// variations.json: the options and the text that all results in a folder have in common.
#pragma once

#include <string>

#include "runs/train_settings.h"

namespace plainformer {

// All options of the base but the folder, the seed, the number of threads and the names of files; and checksums
// of the text. (The text of the built-in grammar follows from the seed of each run.) Reads the files.
std::string variation_record(const TrainSettings& base);

// Compares the folder's record with this one. input_error names the first difference; an option missing from the record
// counts as its default.
//   option   the one that names the folder: "--out"
void check_variation_record(const std::string& folder, const std::string& record, const std::string& option);

// Writes the record, or checks it if the folder has one.
void keep_variation_record(const std::string& folder, const std::string& record);

}  // namespace plainformer
