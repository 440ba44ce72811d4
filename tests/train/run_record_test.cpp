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

using RunRecord = TrainingOnText;

TEST_F(RunRecord, IsJsonWhateverBytesAPathHas) {
  if (!paths_may_be_any_bytes()) GTEST_SKIP() << "every path is text on this system";
  const std::string source = folder_.write("train \xff\x80\xc3\xa4.en", folder_.read("train.en"));
  const ProgramResult result = train("model", {"--source", source});
  ASSERT_EQ(result.exit_code, 0) << result.err;

  EXPECT_NO_THROW(parse_json(folder_.read("model/run.json"), "run.json"));
  EXPECT_EQ(resume("model", {"--source", source}).exit_code, 0);
}

TEST_F(RunRecord, KeepsTheOptionsThatWereGivenWithResume) {
  ASSERT_EQ(train("model", {"--dropout", "0.3"}).exit_code, 0);
  for (const std::string steps : {"8", "9"}) {
    ASSERT_EQ(resume("model", {"--steps", steps}).exit_code, 0);
    const Settings settings = read_run_settings(folder_.path_of("model"));
    EXPECT_EQ(std::to_string(settings.training.steps), steps);
    EXPECT_EQ(settings.training.dropout, 0.3);
    EXPECT_FALSE(settings.resume) << "the record would not repeat the run";
  }
}

// Even if the presets or the working folder have changed, a resumed run must not use another recipe.
TEST_F(RunRecord, HoldsWhatThePresetSaidAndWhereTheTextIs) {
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

TEST_F(RunRecord, FixesWhatTheModelDependsOn) {
  ASSERT_EQ(train("model").exit_code, 0);
  for (const auto& [option, value] :
       {std::pair("--merges", "100"), {"--preset", "small"}, {"--words", "marks"}})
    EXPECT_TRUE(refused(resume("model", {option, value}), {option, " cannot change with --resume"}, 2));
}

TEST_F(RunRecord, OfAnotherVersionIsRefused) {
  ASSERT_EQ(train("model").exit_code, 0);
  std::string record = folder_.read("model/run.json");
  record.insert(record.find("\"--seed\""), "\"--layer-drop\", \"0.5\", ");
  folder_.write("model/run.json", record);
  EXPECT_TRUE(refused(resume("model"), {"run.json: unknown option --layer-drop",
                                        "(hint: another version began this run: resume it with"}));
}

TEST_F(RunRecord, ThatIsDamagedIsRefused) {
  ASSERT_EQ(train("model").exit_code, 0);
  const std::string good = folder_.read("model/run.json");
  for (const std::string arguments : {"[7]", "[[\"a\"]]", "{}"}) {
    folder_.write("model/run.json", "{\"arguments\": " + arguments + "}");
    EXPECT_TRUE(refused(resume("model"), {"run.json: is not the record of a run"}));
  }
  for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), good + "}", good + '\0',
                                 std::string("<html>404</html>"), std::string(100'000, '[')}) {
    folder_.write("model/run.json", bad);
    EXPECT_TRUE(refused(resume("model"), {"run.json: byte "}));
  }
  std::filesystem::remove(folder_.path_of("model/run.json"));
  std::filesystem::create_directory(folder_.path_of("model/run.json"));
  EXPECT_TRUE(refused(resume("model"), {"run.json: is a folder"}));
}

TEST_F(RunRecord, NamesTheKernelsThatItBeganWithWhereTheyAreOthers) {
  const std::string usual = kernels().name;
  if (usual == "scalar") GTEST_SKIP() << "there is only one table of kernels here";
  const ProgramSetup scalar = {.environment = {{"PLAINFORMER_KERNELS", "scalar"}}};
  ASSERT_EQ(train("model", {}, scalar).exit_code, 0);

  const std::string warning = "run.json: this run began with the kernels scalar and continues with " + usual;
  const ProgramResult other = resume("model", {"--steps", "8"}),
                      same = resume("model", {"--steps", "8"}, scalar);
  EXPECT_EQ(other.exit_code, 0);
  EXPECT_TRUE(contains(other.err, warning)) << other.err;
  EXPECT_TRUE(contains(other.err, "(hint: for the same bits, set PLAINFORMER_KERNELS=scalar)\n"))
      << other.err;
  EXPECT_FALSE(contains(same.err, "this run began with")) << same.err;
}

}  // namespace
}  // namespace plainformer
