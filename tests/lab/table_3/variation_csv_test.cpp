// variations.csv, written and read.
#include "lab/table_3/variation_csv.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "lab/table_3/variation_report.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

const std::string kHeader = "row,variation,seed,perplexity,bleu,parameters,seconds\n";

TEST(VariationCsv, HasALineForEachRun) {
  const VariationResults results = {.variation = {.row = "A", .name = "h 1", .settings = {}},
                                    .by_seed = {{1, {7.5, 30, 900, 1.25}}, {4, {8, 31, 900, 2}}}};
  EXPECT_EQ(variation_csv(recorded_runs({results})),
            kHeader + "A,h 1,1,7.5,30,900,1.25\nA,h 1,4,8,31,900,2\n");
}

TEST(VariationCsv, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  const std::string csv =
      kHeader + "base,,1,1.0898123456789,98.7,695936,55.25\nE,learned positions,12,7,1e-05,3,0\n";
  folder.write("variations.csv", csv);
  const std::vector<RecordedRun> runs = read_variation_csv(folder.path_of("variations.csv"));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].variation, "learned positions");
  EXPECT_EQ(runs[1].seed, 12);
  EXPECT_EQ(runs[1].result.bleu, 1e-5);
  EXPECT_EQ(variation_csv(runs), csv);
}

TEST(VariationCsv, ADamagedLineIsNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.path_of("variations.csv");
  const auto complaint = [&](const std::string& csv) {
    folder.write("variations.csv", csv);
    return thrown_message<std::runtime_error>([&] { read_variation_csv(path); });
  };
  const auto expect = [&](const std::string& csv, const std::string& message) {
    EXPECT_TRUE(complaint(csv).starts_with(path + message + " (hint: ")) << complaint(csv);
  };
  expect("", ":1: is not the first line of variations.csv");
  expect("row,variation\n", ":1: is not the first line of variations.csv");
  expect(kHeader + "A,h 1,1,7.5,30,900\n", ":2: has 6 columns");
  expect(kHeader + "A,h 1,1,7.5,30,900,1,2\n", ":2: has 8 columns");
  expect(kHeader + "A,h 1,1,7.5,30,900,1\nA,h 1,-2,7.5,30,900,1\n", ":3: \"-2\" is not a seed");
  expect(kHeader + "A,h 1,1,nan,30,900,1\n", ":2: \"nan\" is not a number from 0 on");
  expect(kHeader + "A,h 1,1,7.5,thirty,900,1\n", ":2: \"thirty\" is not a number from 0 on");
}

}  // namespace
}  // namespace plainformer
