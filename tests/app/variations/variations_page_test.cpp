// docs/6.2-model-variations.md shows what the command makes of docs/measurements.
#include <gtest/gtest.h>

#include "app/program.h"
#include "app/variations/variation_csv.h"
#include "app/variations/variation_report.h"
#include "data/text.h"
#include "io/atomic_file.h"
#include "io/temporary_folder.h"

namespace plainformer {
namespace {

const std::string kDocs = PLAINFORMER_SOURCE_DIR "/docs/";

std::string read_doc(const std::string& name) {
  return read_file(kDocs + name, 1 << 20);
}

testing::AssertionResult page_shows(const std::string& table) {
  if (table.size() > 1000 && contains(read_doc("6.2-model-variations.md"), "```\n" + table + "\n```"))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "not on the page:\n" << table;
}

TEST(VariationsPage, ShowsTheTableAndThePictureOfTheToysRuns) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_program({"variations", "--preset", "toy", "--steps", "500", "--rows", "A,B,C,D,E,big", "--seeds",
                   "3", "--merge", kDocs + "measurements/toy", "--out", folder.path_of("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "a run is missing";
  EXPECT_TRUE(page_shows(result.out.substr(0, result.out.find("\n\nPPL: "))));
  EXPECT_EQ(folder.read("out/variations.svg"), read_doc("pictures/variations-toy.svg"));
}

// Multi30k is not here, so the command would refuse its record. The table needs only the results.
TEST(VariationsPage, ShowsTheTableAndThePictureOfMulti30k) {
  std::vector<VariationResults> results;
  for (Variation& variation : variations_of(preset_settings("tiny"), {"A", "B", "D", "E"}))
    results.push_back({std::move(variation), {}});
  for (const RecordedRun& run : read_variation_csv(kDocs + "measurements/multi30k/variations.csv")) {
    const auto found = std::find_if(results.begin(), results.end(), [&](const VariationResults& each) {
      return each.variation.row == run.row && each.variation.name == run.variation;
    });
    ASSERT_NE(found, results.end()) << run.row << " " << run.variation;
    found->by_seed[run.seed] = run.result;
  }
  const std::string table = render_table(variation_table(results), /*with_bars=*/false);
  EXPECT_TRUE(page_shows(table.substr(0, table.size() - 1)));
  EXPECT_EQ(variation_picture(results), read_doc("pictures/variations-multi30k.svg"));
}

}  // namespace
}  // namespace plainformer
