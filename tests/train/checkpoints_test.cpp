// What a run keeps to go on exactly where it stopped.
#include "train/checkpoints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "support/small_model_folder.h"
#include "support/thrown_message.h"
#include "training/tiny_training.h"
#include "training/training_loop.h"

namespace plainformer {
namespace {

State fresh_state(std::uint64_t seed) {
  TrainingOptions options = tiny_options(0.3);
  options.seed = seed;
  return State(tiny_config(), options);
}

// Makes attempts to step, in epochs of one batch.
void attempt(State& state, Index count) {
  TrainingOptions options = tiny_options(0.3);
  options.validate_every = options.checkpoint_every = 0;
  const Index last = state.progress.attempts + count;
  TrainingHooks hooks;
  hooks.stop = [&] { return state.progress.attempts >= last; };
  train(state.model, state.adam, state.progress, options,
        {.begin_epoch = [](Index) { return 1; }, .batch = [](Index) { return tiny_batch(); }}, hooks);
}

void restore(State& state, State& from) {
  restore_state(state, tensors_of(from), progress_metadata(from), "a file");
}

// A skipped step uses up dropout masks, too.
TEST(RestoredState, RemembersSkippedSteps) {
  State run = fresh_state(1), restored = fresh_state(2);
  const Tensor embedding = run.model.embedding.value;
  run.model.embedding.value.mutable_data()[4 * 8] = std::numeric_limits<Real>::quiet_NaN();
  attempt(run, 1);
  run.model.embedding.value = embedding;

  restore(restored, run);
  EXPECT_EQ(restored.progress.attempts, 1);
  EXPECT_EQ(restored.adam.steps(), 0);
  attempt(run, 2);
  attempt(restored, 2);
  EXPECT_TRUE(same_bits(weights(run.model), weights(restored.model)));
}

// The message about a damaged state, which changes nothing.
std::string refusal(const std::vector<NamedTensor>& tensors, const Metadata& metadata) {
  State run = fresh_state(2);
  const auto before = weights(run.model);
  const std::string message = error_of([&] { restore_state(run, tensors, metadata, "a.safetensors"); });
  EXPECT_TRUE(same_bits(weights(run.model), before));
  EXPECT_EQ(run.adam.steps(), 0);
  return message;
}

TEST(RestoredState, WithBadProgressIsRefused) {
  State source = fresh_state(1);
  attempt(source, 1);
  const Metadata good = progress_metadata(source);
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char* text : {"", "-1", "x", "1x", " 1", "nan", "99999999999999999999x"}) {
      Metadata bad = good;
      bad[i].second = text;
      const std::string message = refusal(tensors_of(source), bad);
      EXPECT_TRUE(message.starts_with("a.safetensors: " + good[i].first + " is \"" + text + "\"")) << message;
    }
    Metadata missing = good;
    missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_TRUE(contains(refusal(tensors_of(source), missing), "no \"" + good[i].first + "\""));
  }
}

TEST(RestoredState, WithBadMomentsIsRefused) {
  State source = fresh_state(1);
  attempt(source, 2);
  for (const std::string name : {"adam.first_moment.embedding", "adam.second_moment.embedding"}) {
    for (const bool missing : {false, true}) {
      auto tensors = tensors_of(source);
      const auto bad =
          std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
      ASSERT_NE(bad, tensors.end());
      if (missing)
        bad->name = "adam.third_moment";
      else
        bad->tensor.mutable_data()[3] = std::numeric_limits<Real>::quiet_NaN();
      EXPECT_TRUE(contains(refusal(tensors, progress_metadata(source)), name));
    }
  }
}

// ---- a model that is overwritten

using Contents = std::vector<std::pair<std::string, std::string>>;

// The files of a model, but for the two that name their folder or the time.
Contents contents(const ModelFolder& folder) {
  Contents files = snapshot(folder.path);
  std::erase_if(files,
                [&](const auto& file) { return file.first == folder.run() || file.first == folder.log(); });
  for (auto& [path, bytes] : files) path = path.substr(folder.path.size());
  return files;
}

TEST(RemoveOldModel, LeavesTheFilesOfAModelInAFreshFolder) {
  const TemporaryFolder folder;
  write_text(folder);
  const auto train = [&](const std::string& out, const std::vector<std::string>& more) {
    const ProgramResult result = run_program(train_arguments(folder, out, more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ModelFolder(folder.path_of(out));
  };
  const std::vector<std::string> other = {"--merges", "50", "--checkpoint-every", "2", "--steps", "5"};
  train("model", {"--checkpoint-every", "2"});
  folder.write("model/notes.txt", "mine");
  const ModelFolder model = train("model", joined(other, {"--overwrite"}));
  EXPECT_EQ(folder.read("model/notes.txt"), "mine");
  std::filesystem::remove(folder.path_of("model/notes.txt"));
  EXPECT_TRUE(contents(model) == contents(train("fresh", other)));
  EXPECT_EQ(run_program({"train", "--resume", "--out", model.path, "--steps", "7"}).exit_code, 0);
}

}  // namespace
}  // namespace plainformer
