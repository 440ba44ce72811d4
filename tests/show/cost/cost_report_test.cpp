// The account of a step as text, with the limits of a machine that the test chooses.
#include "show/cost/cost_report.h"

#include <gtest/gtest.h>

#include "ops/ways.h"
#include "report/numbers.h"
#include "support/program.h"

namespace plainformer {
namespace {

// 3 sentences of 5 and 7 positions; see tests/show/cost/training_cost_test.cpp for the counts by hand.
CostReport small_report() {
  CostReport report;
  report.name = "small";
  report.config = {.d_model = 4,
                   .d_ff = 6,
                   .heads = 2,
                   .encoder_layers = 1,
                   .decoder_layers = 1,
                   .vocab = 11,
                   .max_length = 9};
  report.batch = BatchShape::equal_lengths(3, 5, 7);
  report.machine = {.kernels = "scalar", .threads = 2, .operations_a_second = 1e9};
  return report;
}

class CostReports : public testing::Test {
 private:
  const WaysInScope plain_ = WaysInScope(plain_ways("all", "test"));
};

TEST_F(CostReports, AlignTheParts) {
  const std::string text = to_text(small_report());
  EXPECT_EQ(
      text.substr(0, text.find("\nembedding")),
      "small: 1 encoder and 1 decoder layers, d_model 4, d_ff 6, 2 heads, vocabulary 11\n"
      "a batch: 3 sentences of 5 source and 7 target tokens, 15 and 21 in all\n"
      "\n"
      "A training step: multiply-adds of matrix products forward and backward, time at the peak\n"
      "\n"
      "part                                         parameters  forward k  backward k  at peak ms  share");
  // 960 and 1920 multiply-adds; 8724 and 17448 in all.
  EXPECT_TRUE(
      contains(text, "\nencoder self-attention: projections                  64        1.0         1.9  "))
      << text;
  EXPECT_TRUE(
      contains(text, "\ntotal                                               392        8.7        17.4  "))
      << text;
}

TEST_F(CostReports, GiveTheMemoryWithAndWithoutRecomputing) {
  CostReport report = small_report();
  const TrainingMemory memory = report.memory(false), again = report.memory(true);
  EXPECT_LT(again.activations, memory.activations);
  const std::string text = to_text(report);
  const std::string gap(52, ' ');
  // 392 parameters of 4 bytes; in double precision, of 8.
  const std::string weights = sizeof(Real) == 4 ? "1.6          1.6\n" : "3.1          3.1\n";
  const std::string moments = sizeof(Real) == 4 ? "3.1          3.1\n" : "6.3          6.3\n";
  EXPECT_TRUE(contains(text, "\nweights" + gap + weights)) << text;
  EXPECT_TRUE(contains(text, "\nAdam's two moments" + gap.substr(11) + moments)) << text;
  report.recompute = true;
  EXPECT_EQ(total(report.cost()).forward, total(small_report().cost()).forward);
  EXPECT_GT(total(report.cost()).backward, total(small_report().cost()).backward);
}

// 2 * 26172 operations a step.
TEST_F(CostReports, AddTheStepsOfATrainingUp) {
  CostReport report = small_report();
  report.steps = 1'000'000;
  EXPECT_TRUE(contains(
      to_text(report),
      "\n1000000 such steps: 5.23e10 operations as the equations write them; here at least 52.3 s\n"))
      << to_text(report);
  report.steps = 1'000'000'000;
  for (const auto& [rate, time] : std::vector<std::pair<double, const char*>>{
           {1e11, "8.7 minutes"}, {1e9, "14.5 hours"}, {1e8, "6.1 days"}}) {
    report.machine.operations_a_second = rate;
    EXPECT_TRUE(contains(to_text(report), std::string("; here at least ") + time + "\n")) << to_text(report);
  }
  EXPECT_FALSE(contains(to_text(report), "paper's estimate")) << "the paper has no such model";
}

}  // namespace
}  // namespace plainformer
