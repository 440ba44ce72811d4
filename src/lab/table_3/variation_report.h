// The results of all runs: a table for people, a list for variations.csv, and a dot plot.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/table_3/variation.h"
#include "lab/table_3/variation_csv.h"
#include "report/table.h"

namespace plainformer {

struct VariationResults {
  Variation variation;
  std::map<Index, VariationResult> by_seed;  // of the runs that came to their end
};

// Means over the seeds; their standard deviations; the differences from the first variation, the base, over
// the seeds that both have; and the paper's figures. A difference is marked as larger than the noise if the
// paired t-test, corrected for all tests of its column, gives less than 0.05.
Table variation_table(const std::vector<VariationResults>& results);

std::vector<RecordedRun> recorded_runs(const std::vector<VariationResults>& results);

// The differences from the base, a row for each other variation.
std::string variation_picture(const std::vector<VariationResults>& results);

}  // namespace plainformer
