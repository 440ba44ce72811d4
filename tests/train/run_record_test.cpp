// run.json: what a resumed run needs to know about the earlier one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "io/json.h"
#include "kernels/kernels.h"
#include "platform/platform.h"
#include "support/small_model_folder.h"
#include "system/system.h"
#include "train/run_record.h"
#include "train/settings.h"

namespace plainformer {
namespace {

ProgramResult resume(const TemporaryFolder& folder, const ProgramSetup& setup = {}) {
  return run_program({"train", "--resume", "--out", folder.path_of("model"), "--steps", "8"}, setup);
}

TEST(RunRecord, IsJsonWhateverBytesAPathHas) {
  if (!paths_may_be_any_bytes()) GTEST_SKIP() << "every path is text on this system";
  const TemporaryFolder folder;
  write_text(folder);
  const std::string source = folder.write("train \xff\x80\xc3\xa4.en", folder.read("train.en"));
  const ProgramResult result = run_program(train_arguments(folder, "model", {"--source", source}));
  ASSERT_EQ(result.exit_code, 0) << result.err;

  EXPECT_NO_THROW(parse_json(folder.read("model/run.json"), "run.json"));
  const Arguments once_more = {"train", "--resume", "--out", folder.path_of("model"), "--source", source};
  EXPECT_EQ(run_program(once_more).exit_code, 0);
}

TEST(RunRecord, KeepsTheOptionsThatWereGivenWithResume) {
  const TemporaryFolder folder;
  write_text(folder);
  const ModelFolder model(folder.path_of("model"));
  ASSERT_EQ(run_program(train_arguments(folder, "model", {"--dropout", "0.3"})).exit_code, 0);
  for (const std::string steps : {"8", "9"}) {
    ASSERT_EQ(run_program({"train", "--resume", "--out", model.path, "--steps", steps}).exit_code, 0);
    const Settings settings = read_run_settings(model);
    EXPECT_EQ(std::to_string(settings.training.steps), steps);
    EXPECT_EQ(settings.training.dropout, 0.3);
    EXPECT_FALSE(settings.resume) << "the record would not repeat the run";
  }
}

// Even if the presets or the working folder have changed, a resumed run must not use another recipe.
TEST(RunRecord, HoldsWhatThePresetSaidAndWhereTheTextIs) {
  const Settings settings = parse_settings(
      {"--preset", "base", "--dropout", "0.3", "--source", "a.en", "--target", "a.de", "--out", "model"});
  Arguments arguments = to_arguments(settings);
  *(std::find(arguments.begin(), arguments.end(), "--preset") + 1) = "toy";
  const Settings same = parse_settings(arguments);
  EXPECT_TRUE(same.model == settings.model);
  EXPECT_EQ(same.merges, 37000);
  EXPECT_EQ(same.batch_tokens, 25000);
  EXPECT_EQ(same.toy_pairs, 0);
  EXPECT_EQ(same.training.learning_rate.warmup_steps, 4000);
  EXPECT_EQ(same.training.learning_rate.scale, 1);
  EXPECT_EQ(same.training.dropout, 0.3);
  EXPECT_EQ(same.training.adam.epsilon, 1e-9);
  const auto here = [](const char* name) { return to_text(std::filesystem::current_path() / name); };
  EXPECT_EQ(same.text.source, Arguments{here("a.en")});
  EXPECT_EQ(same.text.target, Arguments{here("a.de")});
  EXPECT_TRUE(same.valid_text.empty());
}

TEST(RunRecord, FixesWhatTheModelDependsOn) {
  const TemporaryFolder folder;
  write_text(folder);
  ASSERT_EQ(run_program(train_arguments(folder, "model")).exit_code, 0);
  for (const auto& [option, value] :
       {std::pair("--merges", "100"), {"--preset", "small"}, {"--words", "marks"}}) {
    EXPECT_TRUE(failed_with_one_line(
        run_program({"train", "--resume", "--out", folder.path_of("model"), option, value}), "train",
        {option, " cannot change with --resume"}, /*exit_code=*/2));
  }
}

TEST(RunRecord, OfAnotherVersionIsRefused) {
  const TemporaryFolder folder;
  write_text(folder);
  ASSERT_EQ(run_program(train_arguments(folder, "model")).exit_code, 0);
  std::string record = folder.read("model/run.json");
  record.insert(record.find("\"--seed\""), "\"--layer-drop\", \"0.5\", ");
  folder.write("model/run.json", record);
  EXPECT_TRUE(failed_with_one_line(
      resume(folder), "train",
      {"run.json: unknown option --layer-drop", "(hint: another version began this run: resume it with"}));
}

TEST(RunRecord, ThatIsDamagedIsRefused) {
  const TemporaryFolder folder;
  write_text(folder);
  ASSERT_EQ(run_program(train_arguments(folder, "model")).exit_code, 0);
  const std::string good = folder.read("model/run.json");
  for (const std::string arguments : {"[7]", "[[\"a\"]]", "{}"}) {
    folder.write("model/run.json", "{\"arguments\": " + arguments + "}");
    EXPECT_TRUE(failed_with_one_line(resume(folder), "train", {"run.json: is not the record of a run"}));
  }
  for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), good + "}", good + '\0',
                                 std::string("<html>404</html>"), std::string(100'000, '[')}) {
    folder.write("model/run.json", bad);
    EXPECT_TRUE(failed_with_one_line(resume(folder), "train", {"run.json: byte "}));
  }
  std::filesystem::remove(folder.path_of("model/run.json"));
  std::filesystem::create_directory(folder.path_of("model/run.json"));
  EXPECT_TRUE(failed_with_one_line(resume(folder), "train", {"run.json: is a folder"}));
}

TEST(RunRecord, NamesTheKernelsThatItBeganWithWhereTheyAreOthers) {
  const std::string usual = kernels().name;
  if (usual == "scalar") GTEST_SKIP() << "there is only one table of kernels here";
  const TemporaryFolder folder;
  write_text(folder);
  const ProgramSetup scalar = {.environment = {{"PLAINFORMER_KERNELS", "scalar"}}};
  ASSERT_EQ(run_program(train_arguments(folder, "model"), scalar).exit_code, 0);

  const std::string warning = "run.json: this run began with the kernels scalar and continues with " + usual;
  const ProgramResult other = resume(folder), same = resume(folder, scalar);
  EXPECT_EQ(other.exit_code, 0);
  EXPECT_TRUE(contains(other.err, warning)) << other.err;
  EXPECT_TRUE(contains(other.err, "(hint: for the same bits, set PLAINFORMER_KERNELS=scalar)\n"))
      << other.err;
  EXPECT_FALSE(contains(same.err, "this run began with")) << same.err;
}

}  // namespace
}  // namespace plainformer
