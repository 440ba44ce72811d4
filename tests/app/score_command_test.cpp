// plainformer score: log-probability and tokens of given translations.
#include <gtest/gtest.h>

#include <sstream>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

class ScoreCommand : public testing::Test {
 protected:
  ProgramResult score(const std::string& source, const std::string& target) {
    return run_program({"score", "--model", model_, "--source", folder_.write("source", source), "--target",
                        folder_.write("target", target)});
  }

  const TemporaryFolder folder_;
  const std::string model_ = write_model(folder_);
};

TEST_F(ScoreCommand, PrintsLogProbabilityTabTokensForEachPair) {
  const ProgramResult result = score("the cat\n\nthe cat\r\n", "die Katze\nnicht\ndie Katze auf dem Tisch");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  ASSERT_EQ(count_lines(result.out), 3);
  const std::vector<std::string> tokens = {"3", "2", "6"};  // </s> included
  std::istringstream lines(result.out);
  for (const std::string& expected : tokens) {
    std::string log_probability, count;
    ASSERT_TRUE(std::getline(lines, log_probability, '\t') && std::getline(lines, count));
    EXPECT_LT(std::stod(log_probability), 0);
    EXPECT_EQ(count, expected);
  }
}

TEST_F(ScoreCommand, TakesPairs) {
  const ProgramResult of_files = score("the cat\n\nthe\n", "die Katze\nnicht\n\n");
  const std::string pairs = folder_.write("pairs", "die Katze\t7\tthe cat\nnicht\t7\t\n\t7\tthe\n");
  const ProgramResult result =
      run_program({"score", "--model", model_, "--pairs", pairs, "--columns", "3,1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, of_files.out);
}

TEST_F(ScoreCommand, NamesFileAndLineOfWhatItRefuses) {
  const std::string source = folder_.path_of("source"), target = folder_.path_of("target");
  EXPECT_TRUE(refused(score("a\nb\nc\n", "a\nb\n"), {target + ": has 2 lines", "has 3"}));
  EXPECT_TRUE(refused(score("the\nthe\n", "the\n" + repeated("the ", 64) + "\n"),
                      {target + ":2: 64 tokens", "at most 63"}));
  EXPECT_TRUE(refused(score(std::string(1'100'000, 'x') + "\n", "die\n"),
                      {source + ":1: 1100000 bytes", "at most 63 tokens"}))
      << "before it is cut into pieces";
  EXPECT_TRUE(refused(score("the\nthe \xff\n", "the\nthe\n"), {source + ":2: not valid UTF-8"}));
}

TEST_F(ScoreCommand, TellsWhatTheModelDoesNotKnow) {
  const ProgramResult result = score("the 猫\n\t\nthe\nthe\n", "die\n\n\a\nKatzen\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(count_lines(result.out), 4);
  const std::string source = "plainformer score: " + folder_.path_of("source"),
                    target = "plainformer score: " + folder_.path_of("target");
  EXPECT_EQ(result.err, source + ":1: the model never saw 猫 and reads <unk> instead\n" + source +
                            ":2: white space alone, read as an empty line\n" + target +
                            ":3: the model never saw U+0007 and reads <unk> instead\n" + target +
                            ":4: the model lacks a piece of \"Katzen\" and reads <unk> instead\n");
}

}  // namespace
}  // namespace plainformer
