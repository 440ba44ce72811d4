// --plain, PLAINFORMER_PLAIN and --precision, as a user meets them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "kernels/kernels.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

ProgramSetup with_plain(const std::string& names) {
  return {.environment = {{"PLAINFORMER_PLAIN", names}}};
}

using PlainOption = TrainingOnText;
using PrecisionOption = TrainingOnText;

TEST_F(PlainOption, WinsOverTheEnvironmentAndIsKeptByAResumedRun) {
  const ProgramResult by_environment = train("one", {}, with_plain("linear,elementwise"));
  EXPECT_TRUE(contains(by_environment.err, "plain operations: elementwise,linear\n")) << by_environment.err;
  const ProgramResult by_option = train("two", {"--plain=layer_norm"}, with_plain("linear"));
  EXPECT_TRUE(contains(by_option.err, "plain operations: layer_norm\n")) << by_option.err;
  EXPECT_TRUE(contains(folder_.read("two/run.json"), "\"plain\": \"layer_norm\""));
  const ProgramResult resumed = resume("two", {"--steps", "9"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "plain operations: layer_norm\n")) << resumed.err;
  EXPECT_FALSE(contains(resumed.err, "this run began with")) << resumed.err;
}

TEST_F(PlainOption, AnOperationThatDoesNotExistIsOneLineThatListsThem) {
  const std::vector<std::string> translate = {"translate", "--model", write_model(folder_)};
  const std::string unknown =
      ": there is no group of operations \"attentoin\" (hint: give all, none, or some of adam,attention,";
  EXPECT_TRUE(refused(run_program(joined(translate, {"--plain=attentoin"})), {"--plain" + unknown}));
  EXPECT_TRUE(refused(run_program(translate, with_plain("attentoin")), {"PLAINFORMER_PLAIN" + unknown}));
}

TEST_F(PlainOption, ARunResumedTheOtherWaySaysSoAndLosesNothing) {
  ASSERT_EQ(train("model", {}, with_plain("all")).exit_code, 0);
  const std::string warning =
      "run.json: this run began with the plain operations all and continues with none, which round "
      "differently "
      "(hint: for the same bits, give --plain=all)\n";
  const ProgramResult other = resume("model", {"--steps", "9"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_TRUE(contains(other.err, warning)) << other.err;
  EXPECT_TRUE(contains(folder_.read("model/log.jsonl"), "{\"step\": 9, \"epoch\""));
  EXPECT_FALSE(contains(resume("model", {"--steps", "9"}, with_plain("all")).err, "this run began with"));
}

// ---- --precision

// The folder holds float32 in either case.
TEST_F(PrecisionOption, ARunTellsItAndRecordsItAndWritesFloats) {
  for (const std::string& name : supported_kernels()) {
    const ProgramResult result =
        train(name, {"--precision", "bf16"}, {.environment = {{"PLAINFORMER_KERNELS", name}}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, "kernels " + name + ", ")) << "forced kernels stay forced\n"
                                                                << result.err;
    EXPECT_TRUE(contains(result.err, ", plain operations: none, precision bf16\n")) << result.err;
    const std::string record = folder_.read(name + "/run.json"),
                      weights = folder_.read(name + "/model.safetensors");
    EXPECT_TRUE(contains(record, "\"--precision\", \"bf16\"")) << record;
    EXPECT_TRUE(contains(record, "\"kernels\": \"" + name + "\"")) << record;
    EXPECT_TRUE(contains(weights, "\"dtype\": \"F32\"") && !contains(weights, "BF16"));
  }
  EXPECT_FALSE(contains(train("float").err, "precision"));
}

TEST_F(PrecisionOption, TranslatesAndScoresWithRoundedFactors) {
  const std::string model = write_model(folder_);
  folder_.write("in", "the cat sleeps\nnot on a table\n");
  folder_.write("out", "die Katze schläft\nnicht auf dem Tisch\n");
  const auto scores = [&](const std::string& precision) {
    const ProgramResult result = run_program({"score", "--model", model, "--source", folder_.path_of("in"),
                                              "--target", folder_.path_of("out"), "--precision", precision});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const double in_float = std::atof(scores("float").c_str()), in_bf16 = std::atof(scores("bf16").c_str());
  EXPECT_NE(in_float, in_bf16);
  EXPECT_NEAR(in_float, in_bf16, 0.02 * std::abs(in_float));
  const ProgramResult result =
      run_program({"translate", "--model", model, "--beam", "3", "--precision", "bf16"},
                  {.input = "the cat sleeps\nnot on a table\n\n"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count_lines(result.out), 3);
}

TEST_F(PrecisionOption, AMistakeIsOneLine) {
  const std::string model = write_model(folder_);
  EXPECT_TRUE(refused(run_program({"translate", "--model", model, "--precision", "fp16"}),
                      {"--precision takes float or bf16, not \"fp16\""}, 2));
  for (const std::string plain : {"--plain", "--plain=linear"})
    EXPECT_TRUE(refused(
        run_program({"translate", "--model", model, "--precision", "bf16", plain}),
        {"--precision: the plain way of linear computes in float only", "leave linear to the fast way"}));
  EXPECT_EQ(
      run_program({"translate", "--model", model, "--precision", "bf16", "--plain=attention"}).exit_code, 0);
}

}  // namespace
}  // namespace plainformer
