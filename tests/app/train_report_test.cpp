// plainformer train: what it says before, during and after the training.
#include <gtest/gtest.h>

#include <filesystem>

#include "platform/platform.h"
#include "support/pattern.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Hundreds of terabytes: no allocation may even be tried.
TEST(TrainReport, RefusesAModelThatDoesNotFitInMemory) {
  const TemporaryFolder folder;
  const auto huge = [&](const std::string& preset) {
    return run_program({"train", "--preset", preset, "--d-model", "65536", "--encoder-layers", "256",
                        "--decoder-layers", "256", "--max-length", "32", "--out", folder.path_of("model")});
  };
  EXPECT_TRUE(
      failed_with_one_line(huge("nano"), "train",
                           {"the model: its weights, their gradients and Adam's moments take at least ", "GB",
                            "(hint: choose a smaller --d-model or --d-ff"}));
  EXPECT_FALSE(std::filesystem::exists(folder.path_of("model")));
}

// Its last lines can be pasted.
TEST(TrainReport, SaysWhatToTypeNext) {
  const TemporaryFolder folder;
  write_text(folder);
  const ProgramResult result = run_program(train_arguments(folder, "Ann's model"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string path = quoted_for_shell(folder.path_of("Ann's model"));
  EXPECT_TRUE(contains(result.err, "translate --model " + path + "\n")) << result.err;
  const std::string last = "train --resume --out " + path + " --steps 12\n";
  EXPECT_TRUE(result.err.ends_with(last)) << result.err;

  const ProgramResult further =
      run_program({"train", "--resume", "--out", folder.path_of("Ann's model"), "--steps", "12", "--patience",
                   "1", "--validate-every", "1", "--learning-rate-scale", "1e-30"});
  ASSERT_EQ(further.exit_code, 0) << further.err;
  EXPECT_TRUE(contains(further.err, "out of patience")) << further.err;
  EXPECT_TRUE(further.err.ends_with(" --patience 2\n")) << further.err;
}

TEST(TrainReport, SaysWhatNanoIsFor) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_program({"train", "--preset", "nano", "--steps", "2", "--out", folder.path_of("model")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(
      result.err.ends_with("the preset nano is for the debugger: its model is too small to translate "
                           "(hint: try --preset toy)\n"))
      << result.err;
}

TEST(TrainReport, SaysWhatItKeepsWithoutValidationText) {
  const TemporaryFolder folder;
  write_text(folder);
  const auto result_of = [&](const std::string& keep) {
    return run_program({"train", "--pairs", folder.path_of("train.tsv"), "--hold-out", "0", "--preset",
                        "nano", "--steps", "5", "--checkpoint-every", "2", "--keep", keep, "--out",
                        folder.path_of("model" + keep)});
  };
  folder.write("train.tsv", "the cat\tdie Katze\nthe table\tder Tisch\n");
  EXPECT_TRUE(
      contains(result_of("9").err,
               "\nno validation text, so no step counts as the best: the model will be the average of the "
               "last 3 checkpoints\n"));
  EXPECT_TRUE(contains(result_of("1").err, ": the model will be that of the last step\n"));
}

// The sentences and their references once, their translations at each validation; and nothing
// else changes.
TEST(TrainReport, ShowsHeldOutSentencesAtEachValidation) {
  const TemporaryFolder folder;
  write_text(folder);
  const std::vector<std::string> often = {"--validate-every", "2"};
  const ProgramResult shown = run_program(train_arguments(folder, "shown", often));
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_TRUE(contains(shown.err, "\nheld-out sentences, and what each should become")) << shown.err;
  const Pattern first("step 2: validation [^\n]*\n  1 [= ] [^\n]*\n  2 [= ] [^\n]*\n  3 [= ] [^\n]*\n");
  EXPECT_EQ(first.all_in(shown.err).size(), 1u) << shown.err;
  const Pattern validation("step \\d: validation [^\n]*\n  1 [= ] [^\n]*\n");
  EXPECT_EQ(validation.all_in(shown.err).size(), 3u) << shown.err;

  const ProgramResult hidden =
      run_program(train_arguments(folder, "hidden", joined(often, {"--samples", "0"})));
  EXPECT_FALSE(contains(hidden.err, "held-out sentence")) << hidden.err;
  EXPECT_FALSE(contains(hidden.err, "\n  1 ")) << hidden.err;
  EXPECT_EQ(folder.read("shown/model.safetensors"), folder.read("hidden/model.safetensors"));
  const auto without_times = [](const std::string& log) {
    return Pattern("\"seconds\": [^}]*").replaced_in(log, "");
  };
  EXPECT_EQ(without_times(folder.read("shown/log.jsonl")), without_times(folder.read("hidden/log.jsonl")));
}

}  // namespace
}  // namespace plainformer
