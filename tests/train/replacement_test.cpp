// A model that is overwritten is set aside until the new one has a checkpoint.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "support/small_model_folder.h"
#include "train/checkpoints.h"

namespace plainformer {
namespace {

class ReplacementOfAModel : public testing::Test {
 protected:
  ReplacementOfAModel() {
    write_text(folder_);
    EXPECT_EQ(run_program(train_arguments(folder_, "model", {"--checkpoint-every", "2"})).exit_code, 0);
    before_ = contents(model_);
  }
  // Arguments of a run with other merges, so that no file of the new model is the old one.
  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--overwrite", "--merges", "50"});
    return train_arguments(folder_, "model", more);
  }
  using Contents = std::vector<std::pair<std::string, std::string>>;
  static Contents contents(const ModelFolder& folder) {
    Contents files = snapshot(folder.path);
    for (auto& [path, bytes] : files) path = path.substr(folder.path.size());
    return files;
  }
  bool has_logged_a_step() const {
    return std::filesystem::exists(model_.log()) && count_lines(folder_.read("model/log.jsonl")) > 0 &&
           std::filesystem::exists(aside_.weights());
  }

  const TemporaryFolder folder_;
  const ModelFolder model_{folder_.path_of("model")}, aside_ = replaced_model(model_);
  Contents before_;
};

// At this learning rate no step after the first is finite.
TEST_F(ReplacementOfAModel, ThatExplodesLeavesTheOldOneAside) {
  const ProgramResult result = run_program(arguments({"--learning-rate-scale", kExplosive, "--steps", "99"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(
      contains(result.err, "the old model is in " + aside_.path + " until the new one has a checkpoint\n"))
      << result.err;
  EXPECT_TRUE(contents(aside_) == before_);
  EXPECT_EQ(run_program({"train", "--resume", "--out", aside_.path, "--steps", "7"}).exit_code, 0);
}

TEST_F(ReplacementOfAModel, ThatIsKilledOrStoppedLeavesTheOldOneAside) {
  for (const int signal : {kKill, SIGINT}) {
    Program program(
        arguments({"--steps", "10000000", "--checkpoint-every", "10000000", "--validate-every", "0"}),
        {.takes_ctrl_c = true});
    ASSERT_TRUE(wait_until([&] { return has_logged_a_step(); }));
    program.send(signal);
    EXPECT_EQ(program.wait().exit_code, 128 + signal);
    EXPECT_TRUE(contents(aside_) == before_) << signal;
    std::filesystem::remove(to_path(model_.log()));  // for has_logged_a_step
  }
  EXPECT_NO_THROW(load_model(model_)) << "the new one, after SIGINT";
}

TEST_F(ReplacementOfAModel, HasTheFilesOfAModelInAFreshFolder) {
  const ProgramResult result = run_program(arguments({"--checkpoint-every", "2", "--steps", "5"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(run_program(train_arguments(folder_, "fresh",
                                        {"--merges", "50", "--checkpoint-every", "2", "--steps", "5"}))
                .exit_code,
            0);
  const Contents replaced = contents(model_), fresh = contents(ModelFolder(folder_.path_of("fresh")));
  ASSERT_EQ(replaced.size(), fresh.size());
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    EXPECT_EQ(replaced[i].first, fresh[i].first);
    const bool names_its_folder = fresh[i].first.ends_with(".json") || fresh[i].first.ends_with(".jsonl");
    EXPECT_TRUE(names_its_folder || replaced[i].second == fresh[i].second) << fresh[i].first;
  }
  EXPECT_EQ(run_program({"train", "--resume", "--out", model_.path, "--steps", "7"}).exit_code, 0);
}

TEST_F(ReplacementOfAModel, TouchesNoFileOfAnotherProgram) {
  make_folder(aside_.path);
  folder_.write("model/replaced/notes.txt", "mine");
  ASSERT_EQ(run_program(arguments()).exit_code, 0);
  EXPECT_EQ(folder_.read("model/replaced/notes.txt"), "mine");
}

}  // namespace
}  // namespace plainformer
