#include "show/curve/training_chart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/temporary_folder.h"
#include "support/thrown_message.h"
#include "train/training_log.h"

namespace plainformer {
namespace {

constexpr const char* kTwoSteps =
    "{\"step\": 1, \"epoch\": 0, \"loss\": 9.5, \"learning_rate\": 0.001, \"seconds\": 0.25}\n"
    "{\"step\": 2, \"epoch\": 0, \"loss\": 8.25, \"learning_rate\": 0.002, \"seconds\": 0.5}\n";

class TrainingHistoryOf : public testing::Test {
 protected:
  TrainingHistory read(const std::string& log) { return read_training_history(folder_.write("log", log)); }
  std::string error(const std::string& log) {
    return thrown_message<std::runtime_error>([&] { read(log); });
  }
  void expect_error(const std::string& log, const std::string& place_and_problem) {
    const std::string message = error(log);
    EXPECT_NE(message.find(folder_.path_of("log") + place_and_problem), std::string::npos) << message;
    EXPECT_NE(message.find(" (hint: "), std::string::npos) << message;
  }

  const TemporaryFolder folder_;
};

TEST_F(TrainingHistoryOf, StepsAndValidations) {
  const TrainingHistory history = read(std::string(kTwoSteps) +
                                       "{\"step\": 2, \"valid_loss\": 7.5, \"valid_perplexity\": 20}\n"
                                       "{\"step\": 2, \"skipped\": \"the output of encoder.0\"}\n"
                                       "{\"step\": 3, \"loss\": 8, \"learning_rate\": 0.003}\n"
                                       "{\"step\": 3, \"valid_loss\": 7, \"valid_perplexity\": 19, "
                                       "\"valid_bleu\": 1.5}\n"
                                       "{\"step\": 3, \"averaged\": 2, \"valid_loss\": 6}\n");
  ASSERT_EQ(history.steps.size(), 3u);
  EXPECT_EQ(history.steps[1].step, 2);
  EXPECT_EQ(history.steps[1].loss, 8.25);
  EXPECT_EQ(history.steps[1].learning_rate, 0.002);
  EXPECT_EQ(history.steps[2].step, 3);
  ASSERT_EQ(history.validations.size(), 2u);
  EXPECT_EQ(history.validations[0].loss, 7.5);
  EXPECT_TRUE(std::isnan(history.validations[0].bleu));
  EXPECT_EQ(history.validations[1].step, 3);
  EXPECT_EQ(history.validations[1].bleu, 1.5);
}

TEST_F(TrainingHistoryOf, WhatTrainingLogWrites) {
  const std::string path = folder_.path_of("log.jsonl");
  {
    TrainingLog log(path, 0, 0);
    StepReport report;
    report.loss = 3.5;
    report.learning_rate = 1e-3;
    log.step(1, 0, report, 0.5);
    log.skipped(1, 2, "the gradient of embedding");
    log.validation(1, {.loss = INFINITY, .perplexity = 12, .bleu = 30.25});
    log.average(1, 2, {.loss = 3, .perplexity = 11, .bleu = 30.5});
  }
  const TrainingHistory history = read_training_history(path);
  ASSERT_EQ(history.steps.size(), 1u);
  EXPECT_EQ(history.steps[0].loss, 3.5);
  EXPECT_EQ(history.steps[0].learning_rate, 1e-3);
  ASSERT_EQ(history.validations.size(), 1u);
  EXPECT_TRUE(std::isnan(history.validations[0].loss));
  EXPECT_EQ(history.validations[0].bleu, 30.25);
}

// What was skipped after the checkpoint will be skipped again, what was skipped before it will not; the
// average is of another end.
TEST_F(TrainingHistoryOf, ARunThatIsResumed) {
  const std::string made = "{\"step\": 1, \"loss\": 4}\n",
                    skipped_before = "{\"step\": 1, \"attempt\": 2, \"skipped\": \"a\"}\n",
                    skipped_after = "{\"step\": 1, \"attempt\": 3, \"skipped\": \"b\"}\n",
                    validated = "{\"step\": 1, \"valid_loss\": 3.5}\n",
                    averaged = "{\"step\": 1, \"averaged\": 2, \"valid_loss\": 3}\n",
                    made_after = "{\"step\": 2, \"loss\": 4}\n";
  const std::string path =
      folder_.write("log.jsonl", made + skipped_before + validated + averaged + skipped_after + made_after);
  TrainingLog(path, /*steps=*/1, /*attempts=*/2);
  EXPECT_EQ(folder_.read("log.jsonl"), made + skipped_before + validated);
}

TEST_F(TrainingHistoryOf, ARunThatIsStillWritingItsLastLine) {
  const std::string line = "{\"step\": 3, \"loss\": 7.5, \"learning_rate\": 0.003}";
  for (std::size_t written = 0; written <= line.size(); ++written)
    EXPECT_EQ(read(kTwoSteps + line.substr(0, written)).steps.size(), 2u) << written;
  EXPECT_EQ(read(kTwoSteps + line + "\n").steps.size(), 3u);
}

TEST_F(TrainingHistoryOf, ALogWithoutAStep) {
  for (const std::string log : {"", "{\"step\": 1, \"lo", "{\"step\": 0, \"skipped\": \"the loss\"}\n"})
    expect_error(log, ": holds no step yet");
  EXPECT_NE(thrown_message<std::runtime_error>([&] {
              read_training_history(folder_.path_of("nothing"));
            }).find("nothing: no such file"),
            std::string::npos);
}

TEST_F(TrainingHistoryOf, AHostileLog) {
  expect_error(std::string(kTwoSteps) + "{\"step\": 3, \"loss\": }\n", ":3: byte 20: expected a value");
  expect_error(std::string(kTwoSteps) + "\n{\"step\": 3, \"loss\": 1}\n", ":3: byte 0: ");
  expect_error("[1, 2]\n", ":1: has no \"step\"");
  expect_error("{\"step\": -1, \"loss\": 1}\n", ":1: has no \"step\"");
  expect_error("{\"step\": 1, \"loss\": \"low\"}\n", ":1: \"loss\" is not a number");
  expect_error("{\"step\": 1, \"loss\": 1e999}\n", ":1: \"loss\" is not a number");
  expect_error("{\"step\": 1, \"loss\": 1, \"learning_rate\": []}\n",
               ":1: \"learning_rate\" is not a number");
  expect_error("{\"step\": 1, \"valid_loss\": 1, \"valid_bleu\": true}\n", ":1: \"valid_bleu\" is not");
  expect_error(std::string(kTwoSteps) + kTwoSteps, ":3: step 1 comes after step 2");
  expect_error("{\"step\": 1, \"loss\": 1, \"\xff\": 1}\n", ":1: not valid UTF-8");
  expect_error("{\"step\": 1, \"x\": [" + std::string(100000, '[') + "\n", ":1: byte ");
  std::string many = "0";
  for (int i = 0; i < 2000; ++i) many += ",0";
  EXPECT_NE(error("{\"step\": 1, \"x\": [" + many + "]}\n").find("too many values"), std::string::npos);
}

}  // namespace
}  // namespace plainformer
