// plainformer plot: the pictures of the pages.
#include <gtest/gtest.h>

#include "lab/pictures/well_formed.h"
#include "lab/plot/plots.h"
#include "support/program.h"

namespace plainformer {
namespace {

TEST(PlotCommand, DrawsToStandardOutputOrToAFile) {
  const ProgramResult result = run_program({"plot", "masks"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, draw_masks());

  const TemporaryFolder folder;
  const ProgramResult to_file = run_program({"plot", "masks", "--out", folder.path_of("a.svg")});
  EXPECT_EQ(to_file.exit_code, 0) << to_file.err;
  EXPECT_EQ(to_file.out, "");
  EXPECT_EQ(folder.read("a.svg"), result.out);
  EXPECT_EQ(run_program({"plot", "masks", "--out", "-"}).out, result.out);
}

TEST(PlotCommand, DrawsAllIntoAFolder) {
  const TemporaryFolder folder;
  const ProgramResult result = run_program({"plot", "all", "--out", folder.path_of("new/pictures"), "--data",
                                            PLAINFORMER_SOURCE_DIR "/docs/pictures"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  for (const Plot& plot : plots()) {
    const std::string svg = folder.read("new/pictures/" + std::string(plot.name) + ".svg");
    EXPECT_TRUE(is_well_formed(svg)) << plot.name;
  }
}

TEST(PlotCommand, SaysWhereTheRecordedRunsAre) {
  const TemporaryFolder folder;
  EXPECT_TRUE(failed_with_one_line(run_program({"plot", "attention-steps", "--data", folder.path_of("none")}),
                                   "plot", {"frames.jsonl"}));
  for (const char* name : {"break-it", "figure-3", "figure-4", "figure-5"})
    EXPECT_TRUE(failed_with_one_line(run_program({"plot", name, "--data", folder.path_of("none")}), "plot",
                                     {".json: no such file", "name docs/pictures by --data"}))
        << name;
  folder.write("attention.json",
               R"([{"name": "Encoder self-attention", "right_text": ["a"], "attn": [[[[1]]]]},
      {"name": "Encoder-decoder attention", "left_text": ["b"], "right_text": ["a"], "attn": [[[[1]]]]}])");
  const auto plot = [&](const char* name) {
    return run_program({"plot", name, "--data", folder.path_of("")});
  };
  EXPECT_TRUE(failed_with_one_line(plot("figure-3"), "plot", {"has no token \"buys\""}));
  EXPECT_TRUE(failed_with_one_line(plot("figure-5"), "plot", {"has no head 1"}));
}

TEST(PlotCommand, ListsTheNames) {
  const ProgramResult list = run_program({"plot"}), help = run_program({"plot", "--help"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  for (const Plot& plot : plots()) {
    EXPECT_TRUE(contains(list.out, "\n  " + std::string(plot.name) + " ")) << plot.name;
    EXPECT_TRUE(contains(list.out, std::string(" ") + plot.summary + "\n")) << plot.name;
  }
  EXPECT_TRUE(contains(help.out, list.out));
}

}  // namespace
}  // namespace plainformer
