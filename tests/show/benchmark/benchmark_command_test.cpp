// plainformer benchmark: what its parts count and report, on small sizes, and the command's output.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "core/special_symbols.h"
#include "core/thread_pool.h"
#include "show/benchmark/benchmark_sections.h"
#include "support/program.h"
#include "train/training_cost.h"

namespace plainformer {
namespace {

// Measures as briefly as possible, against a limit of 1 and of 2 GFLOP/s.
class Benchmark : public testing::Test {
 protected:
  Benchmark() {
    context_.seconds = 1e-6;
    context_.threads = 2;
    context_.peak = [](int count) { return count * 1e9; };
    context_.announce = [this](const std::string& what) { announced_.push_back(what); };
  }
  ~Benchmark() override { set_threads(default_threads()); }

  BenchmarkContext context_;
  std::vector<std::string> announced_;
};

double number(const Table& table, std::size_t row, const std::string& title) {
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (table.columns[j].title == title) return std::get<double>(table.rows.at(row).at(j));
  ADD_FAILURE() << "no column " << title;
  return 0;
}

std::vector<std::string> first_column(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table.rows) names.push_back(std::get<std::string>(row.at(0)));
  return names;
}

TEST(Measure, TakesTheMedianOfTheLimitAfterEachSample) {
  double limit = 0;
  bool worked = false;
  const Measurement time = measure(
      1e-12, [&] { worked = true; },
      [&] {
        EXPECT_TRUE(std::exchange(worked, false));
        return limit += 1;
      });
  EXPECT_EQ(limit, kLeastSamples);
  EXPECT_EQ(time.limit, (kLeastSamples + 1) / 2);
}

// A clock of the test's own: on a busy machine, no real time has an upper limit.
TEST(Measure, GoesOnForItsTime) {
  double time = 0;
  Index calls = 0;
  const auto work = [&] {
    ++calls;
    time += 1.0 / 1024;
  };
  const Measurement measurement = measure(96.0 / 1024, work, {}, [&] { return time; });
  EXPECT_EQ(measurement.samples, 16);
  EXPECT_EQ(calls, kWarmUpCalls + 16 * 6) << "a sample must be long enough for the clock";
  EXPECT_EQ(measurement.median, 1.0 / 1024);
}

TEST_F(Benchmark, LadderClimbsFromThreeLoopsToThreads) {
  const BenchmarkSection section = benchmark_ladder(context_, 37);
  EXPECT_EQ(first_column(section.table),
            (std::vector<std::string>{"naive", "by rows", "local sums", "SIMD", "threads", "multiply"}));
  EXPECT_EQ(announced_.size(), 6u);
  EXPECT_EQ(number(section.table, 0, "threads"), 1);
  EXPECT_EQ(number(section.table, 4, "threads"), 2);
  for (std::size_t i = 0; i < 6; ++i) {
    const double gflops = number(section.table, i, "GFLOP/s"), limit = number(section.table, i, "threads");
    EXPECT_GT(gflops, 0);
    EXPECT_DOUBLE_EQ(number(section.table, i, "of peak"), gflops / limit);
    EXPECT_LE(number(section.table, i, "worst"), gflops);
    EXPECT_GE(number(section.table, i, "best"), gflops);
  }
}

TEST_F(Benchmark, MatrixProductsComeWithOneThreadAndWithAll) {
  const std::vector<ProductShape> shapes = {{"wide", 3, 70, 5, Transpose::kNo, Transpose::kYes},
                                            {"tall", 70, 2, 5, Transpose::kYes, Transpose::kNo}};
  const BenchmarkSection section = benchmark_matmul(context_, shapes);
  EXPECT_EQ(first_column(section.table), (std::vector<std::string>{"wide", "wide", "tall", "tall"}));
  EXPECT_EQ(number(section.table, 2, "m"), 70);
  EXPECT_EQ(number(section.table, 2, "threads"), 1);
  EXPECT_EQ(number(section.table, 3, "threads"), 2);
  EXPECT_EQ(std::get<std::string>(section.table.rows[0][4]), "a b^T");
  EXPECT_EQ(std::get<std::string>(section.table.rows[2][4]), "a^T b");
}

TrainingShape small_shape() {
  return {.name = "s",
          .layers = 1,
          .d_model = 4,
          .heads = 2,
          .d_ff = 6,
          .vocab = 11,
          .batch = 3,
          .source_len = 5,
          .target_len = 7};
}

TEST_F(Benchmark, TrainingReportsTokensAndSteadyMemory) {
  const BenchmarkSection section = benchmark_training(context_, {small_shape()});
  const double seconds = number(section.table, 0, "ms/step") / 1e3;
  EXPECT_DOUBLE_EQ(number(section.table, 0, "tokens/s"), 36 / seconds);
  EXPECT_DOUBLE_EQ(
      number(section.table, 0, "of peak"),
      training_operations(small_shape().model_config(), BatchShape::equal_lengths(3, 5, 7)) / seconds / 2e9);
  EXPECT_EQ(number(section.table, 0, "allocations"), 0);
}

// ---- the program

TEST(BenchmarkCommand, PrintsTablesWithoutBarsIntoAFile) {
  const ProgramResult result = run_program(
      {"benchmark", "--only", "peak", "--seconds", "0.001", "--threads", "1", "--precision", "bf16"},
      {.environment = {{"PLAINFORMER_KERNELS", "scalar"}}});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, ": kernels scalar, 1 thread, plain operations: none, precision bf16"))
      << result.out;
  EXPECT_TRUE(contains(result.out, "\nMultiply-add peak\n"));
  for (const std::string& name : supported_kernels()) EXPECT_TRUE(contains(result.out, "\n" + name + " "));
  EXPECT_FALSE(contains(result.out, "█"));
  EXPECT_FALSE(contains(result.out, "\x1b"));
  EXPECT_TRUE(contains(result.err, "measurement")) << "progress belongs to stderr";
}

TEST(BenchmarkCommand, NamesTheChoices) {
  EXPECT_TRUE(refused(run_program({"benchmark", "--only", "peak,fast"}),
                      {"--only takes peak, ladder, matmul or training", "not \"fast\""}, 2));
  for (const char* seconds : {"0", "-1", "3601", "nan"})
    EXPECT_TRUE(
        refused(run_program({"benchmark", "--seconds", seconds}), {"--seconds must be more than 0"}, 2));
  EXPECT_TRUE(refused(run_program({"benchmark", "--threads", "-1"}), {"--threads"}));
}

}  // namespace
}  // namespace plainformer
