// The recipes of examples/recipes end in a table, and go on where they were stopped.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/strings.h"
#include "support/program.h"

namespace plainformer {
namespace {

#if defined(_WIN32) || defined(PLAINFORMER_EMULATED)
constexpr bool kHasShell = false;
#else
constexpr bool kHasShell = true;
#endif

class Recipe : public testing::Test {
 protected:
  void SetUp() override {
    if (!kHasShell) GTEST_SKIP() << "a script for the shell of POSIX systems";
    std::filesystem::create_directory(folder_.path_of("data"));
    for (const char* name : {"data/train", "data/val", "data/test_2016_flickr"}) write_text(name);
  }

  void write_text(const std::string& name) const {
    std::string english, german;
    for (int i = 0; i < 40; ++i) {
      const std::string number = std::to_string(i % 7);
      english += "sentence " + number + " is short .\n";
      german += "Satz " + number + " ist kurz .\n";
    }
    folder_.write(name + ".en", english);
    folder_.write(name + ".de", german);
  }

  ProgramResult run(const std::vector<std::string>& more) const {
    return run_program(
        joined({PLAINFORMER_SOURCE_DIR "/examples/recipes/multi30k.sh", "--data", folder_.path_of("data"),
                "--out", folder_.path_of("results"), "--program", PLAINFORMER_PROGRAM},
               more),
        {.program = "sh"});
  }

  ProgramResult train_two_seeds() const {
    return run(
        split_at(' ',
                 "--seeds 2 -- --steps 3 --validate-every 3 --checkpoint-every 1 --merges 10 --d-model 8 "
                 "--d-ff 8 --heads 2 --encoder-layers 1 --decoder-layers 1"));
  }

  void remove(const std::string& name) const {
    ASSERT_TRUE(std::filesystem::remove(folder_.path_of("results/" + name))) << name;
  }

  TemporaryFolder folder_;
};

TEST_F(Recipe, EndsInATableOfAllSeeds) {
  const ProgramResult result = train_two_seeds();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, folder_.read("results/table.md"));
  EXPECT_TRUE(contains(folder_.read("results/seed-1/run.json"), "\"--words\", \"spaces\""));
  for (const char* row : {"\n| 1 | ", "\n| 2 | ", "\n| mean | ", "\n| standard deviation | "})
    EXPECT_TRUE(contains(result.out, row)) << row << " in " << result.out;
}

// It was stopped after the training of seed 1, and within that of seed 2.
TEST_F(Recipe, GoesOnWhereItWasStopped) {
  const ProgramResult first = train_two_seeds();
  ASSERT_EQ(first.exit_code, 0) << first.err;
  for (const char* name :
       {"table.md", "seed-1.de", "seed-1.score", "seed-2.trained", "seed-2.de", "seed-2.score"})
    remove(name);
  const std::string log = folder_.read("results/seed-1/log.jsonl");

  const ProgramResult second = train_two_seeds();
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(folder_.read("results/seed-1/log.jsonl"), log) << "seed 1 was trained once more";
}

TEST_F(Recipe, BeginsAgainWhereItWasStoppedBeforeTheFirstCheckpoint) {
  const ProgramResult first = train_two_seeds();
  for (const char* name :
       {"seed-2.trained", "seed-2.de", "seed-2.score", "seed-2/checkpoints/training_state.safetensors"})
    remove(name);
  const ProgramResult second = train_two_seeds();
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(second.out, first.out);
}

TEST_F(Recipe, OfTable3ThatFailsLeavesTheTableAsItWas) {
  folder_.write("table.md", "good");
  const ProgramResult result =
      run_program({PLAINFORMER_SOURCE_DIR "/examples/recipes/table_3.sh", "--rows", "A", "--seeds", "1",
                   "--out", folder_.path(), "--program", folder_.path_of("none")},
                  {.program = "sh"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_EQ(folder_.read("table.md"), "good");
}

TEST_F(Recipe, RefusesWhatItCannotRead) {
  std::filesystem::remove(folder_.path_of("data/val.de"));
  for (const auto& [wrong, message] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{{{"--seeds", "1"}, "val.de is missing"},
                                                                     {{"--seeds", "0"}, "multi30k.sh: "},
                                                                     {{"--seeds", "x"}, "multi30k.sh: "},
                                                                     {{"--sedes", "1"}, "multi30k.sh: "},
                                                                     {{"--seeds"}, "multi30k.sh: "}}) {
    const ProgramResult result = run(wrong);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
  }
}

ProgramResult table_3(const TemporaryFolder& folder, const std::string& rows) {
  return run_program({PLAINFORMER_SOURCE_DIR "/examples/recipes/table_3.sh", "--rows", rows, "--seeds", "1",
                      "--out", folder.path_of("table-3"), "--program", PLAINFORMER_PROGRAM, "--", "--steps",
                      "2", "--validate-every", "1", "--toy-pairs", "100"},
                     {.program = "sh"});
}

TEST_F(Recipe, Table3PrintsEachVariationMinusTheBaseWithTheSameSeed) {
  const ProgramResult result = table_3(folder_, "E");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, folder_.read("table-3/table.md"));
  EXPECT_TRUE(contains(result.out, "\n| base | base | ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\n| E | learned-positions | ")) << result.out;
  EXPECT_EQ(table_3(folder_, "E").out, result.out) << "done runs are not made again";
}

}  // namespace
}  // namespace plainformer
