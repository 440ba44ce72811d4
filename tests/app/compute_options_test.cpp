// --plain, PLAINFORMER_PLAIN and --precision, as a user meets them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "io/json.h"
#include "kernels/kernels.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

ProgramSetup with_plain(const std::string& names) {
  return {.environment = {{"PLAINFORMER_PLAIN", names}}};
}

const std::string kList = "(hint: give all, none, or some of adam,attention,";

TEST(PlainOption, TheFirstLinesOfARunAndItsRecordTellIt) {
  const TemporaryFolder folder;
  write_text(folder);
  for (const auto& [option, told] : std::vector<std::pair<std::string, std::string>>{
           {"--plain", "all"},
           {"--plain=none", "none"},
           {"--plain=layer_norm,attention", "attention,layer_norm"}}) {
    const ProgramResult result = run_program(train_arguments(folder, "model", {"--overwrite", option}));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, ", plain operations: " + told + "\n")) << result.err;
    EXPECT_TRUE(contains(folder.read("model/run.json"), "\"plain\": \"" + told + "\""));
  }
}

TEST(PlainOption, WinsOverTheEnvironmentAndIsKeptByAResumedRun) {
  const TemporaryFolder folder;
  write_text(folder);
  const ProgramResult by_environment =
      run_program(train_arguments(folder, "one"), with_plain("linear,elementwise"));
  EXPECT_TRUE(contains(by_environment.err, "plain operations: elementwise,linear\n")) << by_environment.err;
  const ProgramResult by_option =
      run_program(train_arguments(folder, "two", {"--plain=layer_norm"}), with_plain("linear"));
  EXPECT_TRUE(contains(by_option.err, "plain operations: layer_norm\n")) << by_option.err;
  const ProgramResult resumed =
      run_program({"train", "--resume", "--out", folder.path_of("two"), "--steps", "9"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "plain operations: layer_norm\n")) << resumed.err;
  EXPECT_FALSE(contains(resumed.err, "this run began with")) << resumed.err;
}

TEST(PlainOption, TranslatesAndScoresTheSameBothWays) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  const ProgramSetup text = {.input = "the cat sleeps\nnot on a table\n\n"};
  for (const std::string beam : {"1", "3"}) {
    const std::vector<std::string> arguments = {"translate", "--model", model, "--beam", beam};
    const ProgramResult fast_result = run_program(arguments, text),
                        plain_result = run_program(joined(arguments, {"--plain"}), text);
    EXPECT_EQ(plain_result.exit_code, 0) << plain_result.err;
    EXPECT_EQ(plain_result.out, fast_result.out) << "beam " << beam;
    EXPECT_FALSE(fast_result.out.empty());
  }
}

TEST(PlainOption, AnOperationThatDoesNotExistIsOneLineThatListsThem) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  const std::vector<std::string> translate = {"translate", "--model", model};
  for (const std::string bad : {"attentoin", "attention;linear", "All"}) {
    EXPECT_TRUE(failed_with_one_line(run_program(joined(translate, {"--plain=" + bad})), "translate",
                                     {"--plain: there is no group of operations \"" + bad + "\"", kList}));
    EXPECT_TRUE(
        failed_with_one_line(run_program(translate, with_plain(bad)), "translate",
                             {"PLAINFORMER_PLAIN: there is no group of operations \"" + bad + "\"", kList}));
  }
}

TEST(PlainOption, ARunResumedTheOtherWaySaysSoAndLosesNothing) {
  const TemporaryFolder folder;
  write_text(folder);
  ASSERT_EQ(run_program(train_arguments(folder, "model"), with_plain("all")).exit_code, 0);
  const std::vector<std::string> resume = {"train",   "--resume", "--out", folder.path_of("model"),
                                           "--steps", "9"};
  const std::string warning =
      "run.json: this run began with the plain operations all and continues with none, which round "
      "differently "
      "(hint: for the same bits, give --plain=all)\n";
  const ProgramResult other = run_program(resume);
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_TRUE(contains(other.err, warning)) << other.err;
  EXPECT_TRUE(contains(folder.read("model/log.jsonl"), "{\"step\": 9, \"epoch\""));
  EXPECT_FALSE(contains(run_program(resume, with_plain("all")).err, "this run began with"));
}

// ---- --precision

// The folder holds float32 in either case.
TEST(PrecisionOption, ARunTellsItAndRecordsItAndWritesFloats) {
  const TemporaryFolder folder;
  write_text(folder);
  for (const std::string& name : supported_kernels()) {
    const ProgramResult result = run_program(train_arguments(folder, name, {"--precision", "bf16"}),
                                             {.environment = {{"PLAINFORMER_KERNELS", name}}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, "kernels " + name + ", ")) << "forced kernels stay forced\n"
                                                                << result.err;
    EXPECT_TRUE(contains(result.err, ", plain operations: none, precision bf16\n")) << result.err;
    const std::string record = folder.read(name + "/run.json"),
                      weights = folder.read(name + "/model.safetensors");
    EXPECT_TRUE(contains(record, "\"--precision\", \"bf16\"")) << record;
    EXPECT_TRUE(contains(record, "\"kernels\": \"" + name + "\"")) << record;
    EXPECT_TRUE(contains(weights, "\"dtype\": \"F32\"") && !contains(weights, "BF16"));
  }
  EXPECT_FALSE(contains(run_program(train_arguments(folder, "float")).err, "precision"));
}

// The losses of the first and the last step in log.jsonl.
std::pair<double, double> losses(const std::string& log) {
  std::vector<double> found;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const JsonValue entry = parse_json(line, "log");
    if (const JsonValue* loss = entry.find("loss")) found.push_back(*loss->number());
  }
  return {found.front(), found.back()};
}

// Rounding to 8 bits changes the loss of untrained weights in the third digit. Then the two training runs
// part, but they learn alike: over kernels and seeds, they end at most 5 % apart.
TEST(PrecisionOption, TrainsToNearlyTheSameLoss) {
  const TemporaryFolder folder;
  write_text(folder);
  const std::vector<std::string> recipe = {"--steps", "60", "--warmup", "20", "--dropout", "0"};
  ASSERT_EQ(run_program(train_arguments(folder, "float", recipe)).exit_code, 0);
  ASSERT_EQ(run_program(train_arguments(folder, "half", joined(recipe, {"--precision", "bf16"}))).exit_code,
            0);
  const auto [first, last] = losses(folder.read("float/log.jsonl"));
  const auto [half_first, half_last] = losses(folder.read("half/log.jsonl"));
  EXPECT_LT(last, 0.8 * first) << "it learns";
  EXPECT_NEAR(half_first, first, 0.005 * first);
  EXPECT_NEAR(half_last, last, 0.1 * last);
  EXPECT_NE(half_last, last);
}

TEST(PrecisionOption, TranslatesAndScoresWithRoundedFactors) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  folder.write("in", "the cat sleeps\nnot on a table\n");
  folder.write("out", "die Katze schläft\nnicht auf dem Tisch\n");
  const auto scores = [&](const std::string& precision) {
    const ProgramResult result = run_program({"score", "--model", model, "--source", folder.path_of("in"),
                                              "--target", folder.path_of("out"), "--precision", precision});
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

TEST(PrecisionOption, AMistakeIsOneLine) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  EXPECT_TRUE(failed_with_one_line(run_program({"translate", "--model", model, "--precision", "fp16"}),
                                   "translate", {"--precision takes float or bf16, not \"fp16\""}, 2));
  for (const std::string plain : {"--plain", "--plain=linear"})
    EXPECT_TRUE(failed_with_one_line(
        run_program({"translate", "--model", model, "--precision", "bf16", plain}), "translate",
        {"--precision: the plain way of linear computes in float only", "leave linear to the fast way"}));
  EXPECT_EQ(
      run_program({"translate", "--model", model, "--precision", "bf16", "--plain=attention"}).exit_code, 0);
}

}  // namespace
}  // namespace plainformer
