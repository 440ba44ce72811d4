// docs/6.2-model-variations.md shows what the command makes of docs/measurements.
#include <gtest/gtest.h>

#include "app/program.h"
#include "data/text.h"
#include "io/atomic_file.h"
#include "io/temporary_folder.h"

namespace plainformer {
namespace {

const std::string kDocs = PLAINFORMER_SOURCE_DIR "/docs/";

std::string page() {
  return read_file(kDocs + "6.2-model-variations.md", 1 << 20);
}

TEST(VariationsPage, ShowsTheTableAndThePictureOfTheToysRuns) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_program({"variations", "--preset", "toy", "--steps", "500", "--rows", "A,B,C,D,E,big", "--seeds",
                   "3", "--merge", kDocs + "measurements/toy", "--out", folder.path_of("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "a run is missing";
  const std::string table = result.out.substr(0, result.out.find("\n\nPPL: "));
  EXPECT_GT(table.size(), 1000u);
  EXPECT_TRUE(contains(page(), "```\n" + table + "\n```")) << table;
  EXPECT_EQ(folder.read("out/variations.svg"), read_file(kDocs + "pictures/variations-toy.svg", 1 << 20));
}

}  // namespace
}  // namespace plainformer
