// A training run that is killed, at any moment, loses only the steps since its last checkpoint.
#include <gtest/gtest.h>

#include <random>

#include "io/safetensors.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Writes almost all the time: the state after every step, the best weights and those for the average after
// some.
class KilledTraining {
 public:
  KilledTraining() { write_text(folder_); }

  // Starts or resumes a training run, and kills it after a while, or a while after there is something to
  // lose. Its files can be loaded and resumed.
  void kill_after(std::chrono::microseconds time, bool has_begun) {
    {
      Program program(is_resumable() ? resume_arguments("killed", 1'000'000)
                                     : arguments("killed", 1'000'000));
      if (has_begun) {
        ASSERT_TRUE(wait_until([&] { return is_resumable(); }));
      }
      std::this_thread::sleep_for(time);
      program.send(kKill);
      ASSERT_EQ(program.wait().exit_code, 128 + kKill);
    }
    check_files();
    if (!is_resumable()) return;  // not one step was made
    const Index steps = steps_done();
    ASSERT_GE(steps, steps_);
    const ProgramResult resumed = run_program(resume_arguments("killed", steps + 1));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    ASSERT_EQ(steps_done(), steps + 1);
    ASSERT_NO_THROW(load_model(killed_));
    steps_ = steps + 1;
  }

  // Resumed to its end, the run leaves the same files as an uninterrupted one.
  void expect_the_same_as_uninterrupted() {
    ASSERT_EQ(run_program(resume_arguments("killed", steps_ + 3)).exit_code, 0);
    ASSERT_EQ(run_program(arguments("whole", steps_ + 3)).exit_code, 0);
    EXPECT_TRUE(same_files(folder_, "killed", "whole"));
  }

  Index steps() const { return steps_; }

 private:
  std::vector<std::string> arguments(const std::string& out, Index steps) const {
    return train_arguments(folder_, out,
                           {"--checkpoint-every", "2", "--validate-every", "3", "--keep", "3", "--overwrite",
                            "--steps", std::to_string(steps)});
  }
  std::vector<std::string> resume_arguments(const std::string& out, Index steps) const {
    return {"train", "--resume", "--out", folder_.path_of(out), "--steps", std::to_string(steps)};
  }

  bool is_resumable() const { return std::filesystem::exists(killed_.training_state()); }

  Index steps_done() const {
    return static_cast<Index>(
        std::stoll(*find_text(read_tensor_file(killed_.training_state()).metadata, "step")));
  }

  // No file is torn.
  void check_files() const {
    if (std::filesystem::exists(killed_.weights())) {
      ASSERT_NO_THROW(load_model(killed_));
    }
    for (const std::string& file : step_checkpoints(killed_)) ASSERT_NO_THROW(read_tensor_file(file));
  }

  const TemporaryFolder folder_;
  const ModelFolder killed_{folder_.path_of("killed")};
  Index steps_ = 0;
};

void kill_many_times(int times) {
  KilledTraining training;
  std::mt19937 random(7);  // the moments differ anyway: no machine is equally fast twice
  std::uniform_int_distribution<int> microseconds(0, 80'000);
  for (int i = 0; i < times; ++i) {
    training.kill_after(std::chrono::microseconds(microseconds(random)), /*has_begun=*/i > 0);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(training.steps(), times - 1);
  training.expect_the_same_as_uninterrupted();
}

TEST(Kill, SixTimesAtAnyMoment) {
  kill_many_times(6);
}

TEST(SlowKill, TwoHundredTimesAtAnyMoment) {
  kill_many_times(200);
}

}  // namespace
}  // namespace plainformer
