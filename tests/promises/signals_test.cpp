// Ctrl-C and termination: a checkpoint is saved, and the run can be resumed from it.
#include <gtest/gtest.h>

#include <filesystem>

#include "platform/platform.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class Signals : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!can_send(GetParam())) GTEST_SKIP() << "no program can send this to another one here";
    write_text(folder_);
  }

  const TemporaryFolder folder_;
};

// Even before the first validation, a model to translate with is saved. The hint can be pasted into a shell
// as it is.
TEST_P(Signals, SaveACheckpointFromWhichTheRunGoesOn) {
  Program program(train_arguments(folder_, "o d'd", {"--steps", "10000000", "--validate-every", "0"}),
                  {.takes_ctrl_c = true});
  ASSERT_TRUE(wait_until([&] { return !folder_.read("o d'd/log.jsonl").empty(); }));
  program.send(GetParam());
  const ProgramResult stopped = program.wait();
  EXPECT_EQ(stopped.exit_code, 128 + GetParam()) << stopped.err;
  EXPECT_EQ(stopped.out, "");
  EXPECT_TRUE(contains(stopped.err, "everything is saved (to continue: ")) << stopped.err;
  const std::string folder = folder_.path_of("o d'd");
  EXPECT_TRUE(contains(stopped.err, " train --resume --out " + quoted_for_shell(folder) + ")\n"))
      << stopped.err;
  EXPECT_EQ(run_program({"inspect", "--model", folder}).exit_code, 0);

  const std::string log = folder_.read("o d'd/log.jsonl");
  const std::ptrdiff_t steps = count_lines(log);
  const ProgramResult resumed =
      run_program({"train", "--resume", "--out", folder, "--steps", std::to_string(steps + 2)});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  const std::string longer_log = folder_.read("o d'd/log.jsonl");
  EXPECT_EQ(longer_log.substr(0, log.size()), log);
  EXPECT_TRUE(contains(longer_log, "{\"step\": " + std::to_string(steps + 2) + ", "));

  EXPECT_EQ(run_program(train_arguments(folder_, "whole",
                                        {"--validate-every", "0", "--steps", std::to_string(steps + 2)}))
                .exit_code,
            0);
  EXPECT_EQ(folder_.read("o d'd/checkpoints/training_state.safetensors"),
            folder_.read("whole/checkpoints/training_state.safetensors"));
  EXPECT_EQ(folder_.read("o d'd/model.safetensors"), folder_.read("whole/model.safetensors"));
}

INSTANTIATE_TEST_SUITE_P(, Signals, testing::Values(SIGINT, SIGTERM, kHangUp), [](const auto& signal) {
  return signal.param == SIGINT ? "SIGINT" : signal.param == SIGTERM ? "SIGTERM" : "SIGHUP";
});

// The command for a shell of POSIX.
std::string shell_command(const std::vector<std::string>& arguments) {
  std::string command = "'" PLAINFORMER_PROGRAM "'";
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  return command;
}

// head ends after the first line, and the next one meets a closed pipe.
TEST(ClosedPipe, SavesACheckpointToo) {
  if (!can_send(kBrokenPipe)) GTEST_SKIP() << "no program can send this to another one here";
  const TemporaryFolder folder;
  write_text(folder);
  const std::string train =
      shell_command(train_arguments(folder, "model", {"--steps", "10000000", "--validate-every", "20"}));
  const ProgramResult result =
      run_program({"-c", "{ " + train + " 2>&1; echo $? > '" + folder.path_of("code") + "'; } | head -1"},
                  {.program = "sh"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(folder.read("code"), std::to_string(128 + kBrokenPipe) + "\n");
  EXPECT_TRUE(std::filesystem::exists(folder.path_of("model/checkpoints/training_state.safetensors")));
  EXPECT_EQ(run_program({"inspect", "--model", folder.path_of("model")}).exit_code, 0);
}

// `nohup plainformer train`
TEST(IgnoredHangUp, StaysIgnored) {
  if (!can_send(kHangUp)) GTEST_SKIP() << "no program can send this to another one here";
  const TemporaryFolder folder;
  write_text(folder);
  const std::string train =
      shell_command(train_arguments(folder, "model", {"--steps", "10000000", "--validate-every", "0"}));
  Program program({"-c", "trap '' HUP; exec " + train}, {.program = "sh"});
  ASSERT_TRUE(wait_until([&] { return !folder.read("model/log.jsonl").empty(); }));
  program.send(kHangUp);
  const std::string log = folder.read("model/log.jsonl");
  EXPECT_TRUE(wait_until([&] { return folder.read("model/log.jsonl").size() > log.size() + 10'000; }));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().exit_code, 128 + SIGTERM);
}

}  // namespace
}  // namespace plainformer
