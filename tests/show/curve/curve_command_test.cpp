// plainformer curve: from the log of a training run to a picture.
#include <gtest/gtest.h>

#include "show/curve/well_formed.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

constexpr const char* kLog =
    "{\"step\": 1, \"loss\": 8, \"learning_rate\": 0.001}\n{\"step\": 2, \"loss\": 4, \"learning_rate\": "
    "0.002}\n";

TEST(CurveCommand, DrawsTheLogOfATraining) {
  const TemporaryFolder folder;
  write_text(folder);
  ASSERT_EQ(
      run_program(train_arguments(folder, "model", {"--validate-every", "2", "--valid-bleu", "3"})).exit_code,
      0);
  const ProgramResult result = run_program({"curve", "--model", folder.path_of("model")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(is_well_formed(result.out)) << result.out;
  EXPECT_TRUE(contains(result.out,
                       "<title>Training of model</title>\n<desc>model: 6 steps, in validation the lowest"));
  EXPECT_TRUE(contains(result.out, ">BLEU (validation, greedy)<"));
}

// 3 steps of loss 8, 4, 2 and rate 0.001, 0.002, 0.003; x spans 64 .. 736 pixels for steps 0 to 3.
TEST(CurveCommand, PutsAStepWhereItBelongs) {
  const TemporaryFolder folder;
  const std::string log = folder.write(
      "some.jsonl", std::string(kLog) + "{\"step\": 3, \"loss\": 2, \"learning_rate\": 0.003}\n{\"st");
  const ProgramResult result = run_program({"curve", "--log", log, "--title", "a < b"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "<title>a &lt; b</title>"));
  EXPECT_TRUE(contains(result.out, "d=\"M64.0 100.1L260.0 202.0L456.0 303.9\"")) << result.out;
  EXPECT_TRUE(contains(result.out, "d=\"M64.0 420.0L260.0 388.0L456.0 356.0\"")) << result.out;
}

TEST(CurveCommand, NamesSeveralRunsByTheirFolders) {
  const TemporaryFolder folder;
  for (const std::string name : {"a/first", "b/first", "second"}) {
    std::filesystem::create_directories(folder.path_of(name));
    folder.write(name + "/log.jsonl", kLog);
  }
  folder.write("other.jsonl", kLog);
  const std::string a = folder.path_of("a/first"), b = folder.path_of("b/first");
  const ProgramResult three = run_program({"curve", "--log", folder.path_of("other.jsonl"), "--model", a,
                                           "--model", folder.path_of("second") + "/"});
  EXPECT_EQ(three.exit_code, 0) << three.err;
  EXPECT_TRUE(contains(three.out, "<desc>first: 2 steps. second: 2 steps. other.jsonl: 2 steps.</desc>"))
      << three.out;
  const ProgramResult same_name = run_program({"curve", "--model", a, "--model", b});
  EXPECT_TRUE(contains(same_name.out, "<desc>a/first: 2 steps. b/first: 2 steps.</desc>")) << same_name.out;
  const ProgramResult twice = run_program({"curve", "--model", a, "--model", a});
  EXPECT_TRUE(contains(twice.out, "a/first: 2 steps. ")) << twice.out;
}

TEST(CurveCommand, SaysWhatItCannotDraw) {
  const TemporaryFolder folder;
  const std::string empty = folder.write("empty.jsonl", ""), other = folder.write("other.jsonl", "hello\n");
  EXPECT_TRUE(
      failed_with_one_line(run_program({"curve", "--log", empty}), "curve", {empty + ": holds no step yet"}));
  EXPECT_TRUE(failed_with_one_line(run_program({"curve", "--log", other}), "curve",
                                   {other + ":1: byte 0: expected a value"}));
  EXPECT_TRUE(failed_with_one_line(run_program({"curve", "--model", folder.path_of("none")}), "curve",
                                   {"none: no such folder"}));
  EXPECT_TRUE(failed_with_one_line(run_program({"curve"}), "curve", {"--model or --log is required"}, 2));
  EXPECT_TRUE(failed_with_one_line(run_program({"curve", "--log", ""}), "curve", {"--log is required"}, 2));
  std::vector<std::string> seven = {"curve"};
  for (int i = 0; i < 7; ++i) seven.insert(seven.end(), {"--log", empty});
  EXPECT_TRUE(failed_with_one_line(run_program(seven), "curve", {"at most 6 runs"}, 2));
}

}  // namespace
}  // namespace plainformer
