// A model that is overwritten stays until the new one has a checkpoint.
#include "train/replacement.h"

#include <gtest/gtest.h>

#include <csignal>

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
  // The files of the old model.
  std::vector<std::pair<std::string, std::string>> old_files() const {
    std::vector<std::pair<std::string, std::string>> files = snapshot(model_.path);
    std::erase_if(files, [&](const auto& file) { return file.first.starts_with(beginning()); });
    return files;
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

// A model that goes on from another one is measured first, here on so much text that Ctrl-C comes before the first step.
TEST_F(ReplacementOfAModel, ThatIsStoppedBeforeTheFirstStepLeavesTheOldOne) {
  std::filesystem::copy(model_.path, folder_.path_of("from"), std::filesystem::copy_options::recursive);
  for (const std::string name : {"valid.en", "valid.de"}) {
    std::string text;
    for (int i = 0; i < 400; ++i) text += folder_.read(name);
    folder_.write(name, text);
  }
  std::vector<std::string> all = {"train",     "--overwrite", "--from",   folder_.path_of("from"),
                                  "--steps",   "10000000",    "--preset", "toy",
                                  "--threads", "1",           "--out",    model_.path};
  for (const char* side : {"source", "target"}) {
    const std::string ending = std::string(side) == "source" ? ".en" : ".de";
    all.insert(all.end(), {std::string("--") + side, folder_.path_of("train" + ending),
                           std::string("--valid-") + side, folder_.path_of("valid" + ending)});
  }
  Program program(all, {.takes_ctrl_c = true});
  ASSERT_TRUE(wait_until(
      [&] { return contains(program.err_so_far(), " stays until the new one has a checkpoint"); }));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 128 + SIGINT) << result.err;
  EXPECT_TRUE(contains(result.err, "stopped by a signal before the first step; the model in " + model_.path +
                                       " is the old one\n"))
      << result.err;
  EXPECT_TRUE(snapshot(model_.path) == before_);
}

TEST_F(ReplacementOfAModel, ThatIsStoppedBeforeItsFirstCheckpointStaysBesideTheOldOne) {
  Program program(
      arguments({"--steps", "10000000", "--checkpoint-every", "10000000", "--validate-every", "0"}),
      {.takes_ctrl_c = true});
  ASSERT_TRUE(wait_until([&] {
    return std::filesystem::exists(beginning() + "/log.jsonl") &&
           count_lines(folder_.read("model/replacement/log.jsonl")) > 0;
  }));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 128 + SIGINT) << result.err;
  EXPECT_TRUE(contains(result.err, "the model in " + model_.path + " is the old one, and the new one is in " +
                                       beginning() + " (to continue: "))
      << result.err;
  EXPECT_TRUE(contains(result.err, " train --resume --out " + beginning() + ")\n")) << result.err;
  EXPECT_TRUE(old_files() == before_);
  EXPECT_NO_THROW(load_model(ModelFolder(beginning())));

  // Both can go on, and a line says that there are two.
  const ProgramResult old = run_program({"train", "--resume", "--out", model_.path, "--steps", "7"});
  EXPECT_EQ(old.exit_code, 0) << old.err;
  EXPECT_TRUE(
      contains(old.err, beginning() + " holds a model that was stopped before it replaced the one in "));
  const std::string more = std::to_string(count_lines(folder_.read("model/replacement/log.jsonl")) + 1);
  const ProgramResult resumed = run_program({"train", "--resume", "--out", beginning(), "--steps", more});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  ASSERT_EQ(run_program(arguments()).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(beginning()));
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
