// Standard output that takes no byte more is one clear line and exit code 1.
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class FullOutput : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(path_)) GTEST_SKIP() << "no /dev/full here";
  }

  const std::string path_ = "/dev/full";
};

TEST_F(FullOutput, OfTheUsageIsAnError) {
  for (const char* option : {"--help", "--version"})
    EXPECT_EQ(run_program({option}, {.stdout_path = path_}).exit_code, 1) << option;
}

TEST_F(FullOutput, OfResultsIsAnError) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder), text = folder.write("text", "the cat\n");
  const std::vector<std::vector<std::string>> commands = {
      {"translate", "--model", model},
      {"score", "--model", model, "--source", text, "--target", text},
      {"bleu", "--reference", text},
      {"inspect", "--model", model},
      {"train", "--help"},
      {"bpe", "learn", "--out", "-", text},
      {"train", "--preset", "toy", "--toy-pairs", "50", "--steps", "1", "--d-model", "8", "--d-ff", "8",
       "--heads", "1", "--out", folder.path_of("toy")},
  };
  for (const auto& command : commands) {
    const ProgramResult result = run_program(command, {.input = "the cat\n", .stdout_path = path_});
    const std::string name = command[0] == "bpe" ? "bpe learn" : command[0];
    EXPECT_EQ(result.exit_code, 1) << name;
    EXPECT_TRUE(result.err.ends_with("plainformer " + name +
                                     ": standard output: not everything could be "
                                     "written (hint: is the disk full?)\n"))
        << result.err;
  }
}

}  // namespace
}  // namespace plainformer
