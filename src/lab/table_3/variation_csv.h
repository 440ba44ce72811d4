// The results of all runs as comma-separated values, a line for each, and back.
#pragma once

#include <string>
#include <vector>

#include "lab/table_3/variation_run.h"

namespace plainformer {

struct RecordedRun {
  std::string row, variation;  // as in Variation: neither has a comma
  Index seed = 0;
  VariationResult result;
};

std::string variation_csv(const std::vector<RecordedRun>& runs);

// Reads the file. input_error if variation_csv did not write it.
std::vector<RecordedRun> read_variation_csv(const std::string& path);

}  // namespace plainformer
