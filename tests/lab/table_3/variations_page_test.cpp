// The pages show what the command makes of docs/measurements.
#include <gtest/gtest.h>

#include <cstdlib>

#include "data/text.h"
#include "io/atomic_file.h"
#include "io/temporary_folder.h"
#include "lab/table_3/variation_csv.h"
#include "lab/table_3/variation_report.h"
#include "support/program.h"

namespace plainformer {
namespace {

const std::string kDocs = PLAINFORMER_SOURCE_DIR "/docs/";

std::string read_doc(const std::string& name) {
  return read_file(kDocs + name, 1 << 20);
}

testing::AssertionResult page_shows(const std::string& page, const std::string& table) {
  if (table.size() > 300 && contains(read_doc(page), "```\n" + table + "\n```"))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "not on the page " << page << ":\n" << table;
}

// PLAINFORMER_UPDATE_PAGES=1 draws the picture again.
void expect_picture(const std::string& drawn, const std::string& name) {
  const std::string path = "pictures/" + name;
  if (std::getenv("PLAINFORMER_UPDATE_PAGES")) write_file_atomically(kDocs + path, drawn);
  EXPECT_EQ(drawn, read_doc(path));
}

// The page and the picture show all runs of these options, and none is missing.
void expect_runs_of_the_toy(const std::string& page, const std::string& runs, const std::string& picture,
                            std::vector<std::string> options) {
  const TemporaryFolder folder;
  options.insert(options.begin(), "variations");
  options.insert(options.end(), {"--merge", kDocs + "measurements/" + runs, "--out", folder.path_of("out")});
  const ProgramResult result = run_program(options);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "a run is missing";
  EXPECT_TRUE(page_shows(page, result.out.substr(0, result.out.find("\n\nPPL: "))));
  expect_picture(folder.read("out/variations.svg"), picture);
}

TEST(VariationsPage, ShowsTheTableAndThePictureOfTheToysRuns) {
  expect_runs_of_the_toy("lab/table-3.md", "toy", "variations-toy.svg",
                         {"--preset", "toy", "--steps", "500", "--rows", "A,B,C,D,E,big", "--seeds", "3"});
}

TEST(VariationsPage, ShowsTheTableAndThePictureOfLittleText) {
  expect_runs_of_the_toy("lab/little-text.md", "little", "variations-little.svg",
                         {"--toy-pairs", "400", "--steps", "600", "--rows", "beyond", "--seeds", "5"});
}

// Multi30k is not here, so the command would refuse its record. A table needs only the results.
std::vector<VariationResults> results_of_multi30k(const std::vector<std::string>& rows) {
  std::vector<VariationResults> results;
  for (Variation& variation : variations_of(preset_settings("tiny"), rows))
    results.push_back({std::move(variation), {}});
  for (const RecordedRun& run : read_variation_csv(kDocs + "measurements/multi30k/variations.csv")) {
    const auto found = std::find_if(results.begin(), results.end(), [&](const VariationResults& each) {
      return each.variation.row == run.row && each.variation.name == run.variation;
    });
    if (found != results.end()) found->by_seed[run.seed] = run.result;
  }
  return results;
}

TEST(VariationsPage, ShowsTheTablesAndThePictureOfMulti30k) {
  const struct {
    std::string page;
    std::vector<std::string> rows;
  } cases[] = {{"lab/table-3.md", {"A", "B", "D", "E"}},
               {"lab/attention-regularizers.md", {"attention"}},
               {"lab/half-precision.md", {"bf16"}}};
  for (const auto& [page, rows] : cases) {
    const std::string table = render_table(variation_table(results_of_multi30k(rows)), /*with_bars=*/false);
    EXPECT_TRUE(page_shows(page, table.substr(0, table.size() - 1)));
  }
  expect_picture(variation_picture(results_of_multi30k(cases[0].rows)), "variations-multi30k.svg");
}

}  // namespace
}  // namespace plainformer
