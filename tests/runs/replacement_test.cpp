// A model that is overwritten stays until the new one has a checkpoint.
#include "runs/replacement.h"

#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class ReplacementOfAModel : public testing::Test {
 protected:
  ReplacementOfAModel() {
    write_text(folder_);
    EXPECT_EQ(run_program(train_arguments(folder_, "model", {"--checkpoint-every", "2"})).exit_code, 0);
    before_ = snapshot(model_.path);
  }

  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--overwrite", "--merges", "50"});
    return train_arguments(folder_, "model", with_last_values(more));
  }
  std::string beginning() const { return model_.path + "/replacement"; }

  const TemporaryFolder folder_;
  const ModelFolder model_{folder_.path_of("model")};
  std::vector<std::pair<std::string, std::string>> before_;
};

// At this learning rate no step after the first is finite.
TEST_F(ReplacementOfAModel, ThatExplodesLeavesTheOldOne) {
  const ProgramResult result = run_program(arguments({"--learning-rate-scale", kExplosive, "--steps", "99"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(
      contains(result.err, "the model in " + model_.path + " stays until the new one has a checkpoint\n"))
      << result.err;
  EXPECT_TRUE(snapshot(model_.path) == before_);
  EXPECT_FALSE(std::filesystem::exists(beginning()));
}

TEST_F(ReplacementOfAModel, ThatIsKilledLeavesTheOldOne) {
  {
    Program program(arguments({"--steps", "10000000", "--checkpoint-every", "10000000"}));
    ASSERT_TRUE(wait_until([&] {
      return std::filesystem::exists(beginning() + "/log.jsonl") &&
             count_lines(folder_.read("model/replacement/log.jsonl")) > 0;
    }));
    program.send(kKill);
    EXPECT_EQ(program.wait().exit_code, 128 + kKill);
  }
  EXPECT_NO_THROW(load_model(model_));
  const ProgramResult resumed = run_program({"train", "--resume", "--out", model_.path, "--steps", "6"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_FALSE(std::filesystem::exists(beginning()));
  EXPECT_TRUE(snapshot(model_.path) == before_);
}

TEST_F(ReplacementOfAModel, HasTheFilesOfAModelInAFreshFolder) {
  const ProgramResult result = run_program(arguments({"--checkpoint-every", "2", "--steps", "5"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(run_program(train_arguments(folder_, "fresh",
                                        {"--merges", "50", "--checkpoint-every", "2", "--steps", "5"}))
                .exit_code,
            0);
  const auto names = [&](const std::string& out) {
    std::vector<std::string> all;
    for (const auto& [path, bytes] : snapshot(folder_.path_of(out)))
      all.push_back(path.substr(folder_.path_of(out).size()));
    return all;
  };
  EXPECT_EQ(names("model"), names("fresh"));
  for (const std::string file :
       {"/model.safetensors", "/bpe.codes", "/vocabulary.txt", "/checkpoints/training_state.safetensors"})
    EXPECT_TRUE(folder_.read("model" + file) == folder_.read("fresh" + file)) << file;
  EXPECT_EQ(count_lines(folder_.read("model/log.jsonl")), count_lines(folder_.read("fresh/log.jsonl")));
  EXPECT_EQ(run_program({"train", "--resume", "--out", model_.path, "--steps", "7"}).exit_code, 0);
}

// Killed when the old files were gone, and the new ones not yet there.
TEST_F(ReplacementOfAModel, IsCompletedByTheNextRun) {
  std::filesystem::rename(model_.path, folder_.path_of("moved"));
  make_folder(model_.path);
  std::filesystem::rename(folder_.path_of("moved"), beginning());
  std::filesystem::copy(beginning() + "/run.json", model_.run());
  const ProgramResult resumed = run_program({"train", "--resume", "--out", model_.path, "--steps", "6"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(snapshot(model_.path) == before_);
}

TEST_F(ReplacementOfAModel, TouchesNoFileOfSomebodyElse) {
  make_folder(beginning());
  folder_.write("model/replacement/notes.txt", "mine");
  ASSERT_EQ(run_program(arguments()).exit_code, 0);
  EXPECT_EQ(folder_.read("model/replacement/notes.txt"), "mine");
}

}  // namespace
}  // namespace plainformer
