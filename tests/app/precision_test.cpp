// --precision, as a user meets it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "io/json.h"
#include "kernels/kernels.h"
#include "ops/precision.h"
#include "show/benchmark/benchmark_sections.h"
#include "support/small_model_folder.h"

namespace plainformer {
namespace {

TEST(PrecisionOption, ARunTellsItAndRecordsItAndWritesFloats) {
  const TemporaryFolder folder;
  write_text(folder);
  const ProgramResult result = run_program(train_arguments(folder, "half", {"--precision", "bf16"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, ", plain operations: none, precision bf16\n")) << result.err;
  EXPECT_TRUE(contains(folder.read("half/run.json"), "\"--precision\", \"bf16\""))
      << folder.read("half/run.json");

  const ProgramResult in_float = run_program(train_arguments(folder, "float"));
  EXPECT_FALSE(contains(in_float.err, "precision")) << in_float.err;
  const std::string half = folder.read("half/model.safetensors"),
                    full = folder.read("float/model.safetensors");
  EXPECT_EQ(half.size(), full.size()) << "the folder holds float32 in either case";
  EXPECT_TRUE(contains(half, "\"dtype\": \"F32\"") && !contains(half, "BF16"));
  EXPECT_NE(half, full);
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
  std::vector<std::string> in_half = recipe;
  in_half.insert(in_half.end(), {"--precision", "bf16"});
  ASSERT_EQ(run_program(train_arguments(folder, "float", recipe)).exit_code, 0);
  ASSERT_EQ(run_program(train_arguments(folder, "half", in_half)).exit_code, 0);
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

  for (const std::string beam : {"1", "3"}) {
    const ProgramResult result =
        run_program({"translate", "--model", model, "--beam", beam, "--precision", "bf16"},
                    {.input = "the cat sleeps\nnot on a table\n\n"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(count_lines(result.out), 3);
  }
}

TEST(PrecisionOption, AForcedSetOfKernelsStaysForced) {
  const TemporaryFolder folder;
  write_text(folder);
  for (const std::string& name : supported_kernels()) {
    const ProgramResult result = run_program(train_arguments(folder, name, {"--precision", "bf16"}),
                                             {.environment = {{"PLAINFORMER_KERNELS", name}}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, "kernels " + name + ", ")) << result.err;
    EXPECT_TRUE(contains(folder.read(name + "/run.json"), "\"kernels\": \"" + name + "\""));
  }
}

TEST(PrecisionOption, AMistakeIsOneLine) {
  const TemporaryFolder folder;
  const std::string model = write_model(folder);
  write_text(folder);
  EXPECT_TRUE(failed_with_one_line(run_program({"translate", "--model", model, "--precision", "fp16"}),
                                   "translate",
                                   {"--precision: there is no precision \"fp16\"", "choose float or bf16"}));
  EXPECT_TRUE(failed_with_one_line(run_program(train_arguments(folder, "new", {"--precision", "half"})),
                                   "train", {"--precision: there is no precision \"half\""}));
  EXPECT_FALSE(std::filesystem::exists(folder.path_of("new")));
  for (const std::string plain : {"--plain", "--plain=linear"})
    EXPECT_TRUE(failed_with_one_line(
        run_program({"translate", "--model", model, "--precision", "bf16", plain}), "translate",
        {"--precision: the plain way of linear computes in float only", "leave linear to the fast way"}));
  EXPECT_EQ(
      run_program({"translate", "--model", model, "--precision", "bf16", "--plain=attention"}).exit_code, 0);
}

// The steps of the ladder are in float, and the benchmark compares them with multiply().
TEST(PrecisionOption, TheLadderOfTheBenchmarkStaysInFloat) {
  const PrecisionInScope in_bf16(Precision::kBf16);
  BenchmarkContext context;
  context.seconds = 1e-5;
  context.peak = [](int) { return 1e9; };
  EXPECT_NO_THROW(benchmark_ladder(context, 40));
  EXPECT_EQ(product_precision, Precision::kBf16);
}

}  // namespace
}  // namespace plainformer
