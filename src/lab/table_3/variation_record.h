// variations.json: the options and the text that all results in a folder have in common.
#pragma once

#include <string>

#include "runs/train_settings.h"

namespace plainformer {

// All options of the base but the folder, the seed, the number of threads and the names of files; and checksums
// of the text. (That of the built-in grammar follows from the seed of each run.) Reads the files.
std::string variation_record(const TrainSettings& base);

// input_error, which names the first difference, unless the folder has the record of the same options and text. An
// option that the record does not know has its default.
//   option   that names the folder: "--out"
void check_variation_record(const std::string& folder, const std::string& record, const std::string& option);

// Writes the record, or checks it if the folder has one.
void keep_variation_record(const std::string& folder, const std::string& record);

}  // namespace plainformer
