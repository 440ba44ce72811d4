// --plain and PLAINFORMER_PLAIN, as a user meets them.
#include "command_line/command_support.h"

#include <gtest/gtest.h>

#include "io/json.h"
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

TEST(PlainOption, WinsOverTheEnvironment) {
  const TemporaryFolder folder;
  write_text(folder);
  const ProgramResult by_environment =
      run_program(train_arguments(folder, "one"), with_plain("linear,elementwise"));
  EXPECT_TRUE(contains(by_environment.err, "plain operations: elementwise,linear\n")) << by_environment.err;
  const ProgramResult by_option =
      run_program(train_arguments(folder, "two", {"--plain=layer_norm"}), with_plain("linear"));
  EXPECT_TRUE(contains(by_option.err, "plain operations: layer_norm\n")) << by_option.err;
}

TEST(PlainOption, TranslatesAndScoresTheSameBothWays) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  const ProgramSetup text = {.input = "the cat sleeps\nnot on a table\n\n"};
  for (const std::string beam : {"1", "3"}) {
    const std::vector<std::string> arguments = {"translate", "--model", model, "--beam", beam};
    std::vector<std::string> plain = arguments;
    plain.push_back("--plain");
    const ProgramResult fast_result = run_program(arguments, text), plain_result = run_program(plain, text);
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
    std::vector<std::string> arguments = translate;
    arguments.push_back("--plain=" + bad);
    EXPECT_TRUE(failed_with_one_line(run_program(arguments), "translate",
                                     {"--plain: there is no group of operations \"" + bad + "\"", kList}));
    EXPECT_TRUE(
        failed_with_one_line(run_program(translate, with_plain(bad)), "translate",
                             {"PLAINFORMER_PLAIN: there is no group of operations \"" + bad + "\"", kList}));
  }
  for (const std::string empty : {"", "attention,", ",attention"})
    EXPECT_TRUE(
        failed_with_one_line(run_program(translate, with_plain(empty)), "translate",
                             {"PLAINFORMER_PLAIN: the name of a group of operations is missing", kList}));
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

// Given as an option, it is an option of the run, which a resumed run keeps.
TEST(PlainOption, IsKeptByAResumedRun) {
  const TemporaryFolder folder;
  write_text(folder);
  ASSERT_EQ(run_program(train_arguments(folder, "model", {"--plain=attention"})).exit_code, 0);
  const ProgramResult resumed =
      run_program({"train", "--resume", "--out", folder.path_of("model"), "--steps", "9"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "plain operations: attention\n")) << resumed.err;
  EXPECT_FALSE(contains(resumed.err, "this run began with")) << resumed.err;
}

}  // namespace
}  // namespace plainformer
