// A limit on the size of files (ulimit -f) has the effect of a full disk, and needs no rights.
#include <gtest/gtest.h>

#include "io/safetensors.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class FileSizeLimit : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_limit_file_sizes()) GTEST_SKIP() << "this system has no limit on the size of files";
    write_text(folder_);
    const std::vector<std::string> every = {
        "--checkpoint-every", "1", "--validate-every", "1", "--keep", "1"};
    EXPECT_EQ(run_program(train_arguments(folder_, "model", every)).exit_code, 0);
    state_ = state();
  }

  std::string state() const { return folder_.read("model/checkpoints/training_state.safetensors"); }
  std::ptrdiff_t logged() const { return count_lines(folder_.read("model/log.jsonl")); }

  // There is room for the log and for weights, but not for a training state.
  ProgramSetup too_small() const { return {.max_file_bytes = state_.size() - 1}; }
  std::vector<std::string> resume(const std::string& steps) const {
    return {"train", "--resume", "--out", folder_.path_of("model"), "--steps", steps};
  }

  const TemporaryFolder folder_;
  const std::string problem_ =
      folder_.path_of("model/checkpoints/training_state.safetensors") +
      ": cannot be written: File too large (hint: raise the limit on the size of files "
      "(ulimit -f), or write to another disk)";
  std::string state_;
};

TEST_F(FileSizeLimit, StopsNoTrainingAndKeepsTheCheckpointFromBefore) {
  const ProgramResult result = run_program(resume("9"), too_small());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, problem_ + "; training continues, and the earlier files are kept\n"))
      << result.err;
  EXPECT_TRUE(result.err.ends_with("plainformer train: " + problem_ + "\n")) << result.err;
  EXPECT_TRUE(contains(folder_.read("model/log.jsonl"), "{\"step\": 9, \"epoch\""));
  EXPECT_TRUE(state() == state_);
  EXPECT_EQ(run_program({"inspect", "--model", folder_.path_of("model")}).exit_code, 0);
  EXPECT_EQ(run_program(resume("9")).exit_code, 0);
}

TEST_F(FileSizeLimit, ThatIsLiftedIsForgotten) {
  const std::ptrdiff_t before = logged();
  Program program(resume("10000000"), too_small());
  ASSERT_TRUE(wait_until([&] { return logged() > before + 4; }));
  EXPECT_TRUE(state() == state_);
  if (!program.lift_file_size_limit()) GTEST_SKIP() << "the limit of another process is fixed here";
  ASSERT_TRUE(wait_until([&] { return state() != state_; }));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 128 + SIGINT) << result.err;
  EXPECT_TRUE(contains(result.err, problem_ + "; training continues")) << result.err;
}

TEST_F(FileSizeLimit, LeavesNoHalfFrame) {
  const std::string file = "model/frames.jsonl";
  ASSERT_EQ(run_program(joined(resume("30"), {"--frames", "1"})).exit_code, 0);
  const std::string frames = folder_.read(file);
  const ProgramResult result = run_program(resume("33"), {.max_file_bytes = frames.size() + 100});
  EXPECT_TRUE(contains(result.err, "frames.jsonl: cannot be written")) << result.err;
  EXPECT_EQ(folder_.read(file), frames);
}

TEST_F(FileSizeLimit, LeavesNothingInTheWayOfAnotherTry) {
  const std::vector<std::string> average = {"average", "--model", folder_.path_of("model"), "--out",
                                            folder_.path_of("average")};
  EXPECT_EQ(run_program(average, {.max_file_bytes = state_.size() / 6}).exit_code, 1);
  const ProgramResult result = run_program(average);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

// The best weights cannot be written, because a folder is in the way; the checkpoint can.
TEST(WeightsThatCannotBeWritten, AtTheLastStepLoseNoTraining) {
  const TemporaryFolder folder;
  write_text(folder);
  std::filesystem::create_directories(folder.path_of("model/model.safetensors.plainformer.tmp"));
  const ProgramResult result = run_program(
      train_arguments(folder, "model", {"--steps", "6", "--validate-every", "6", "--checkpoint-every", "4"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "model.safetensors.plainformer.tmp")) << result.err;
  const TensorFile state = read_tensor_file(folder.path_of("model/checkpoints/training_state.safetensors"));
  EXPECT_EQ(*find_text(state.metadata, "step"), "6");
}

}  // namespace
}  // namespace plainformer
