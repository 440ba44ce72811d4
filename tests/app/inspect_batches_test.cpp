// plainformer inspect --source --target: what batches hold.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Every word is one token. Lengths with </s>: sources 3, 2, 5 and targets 3, 2, 4.
class InspectBatches : public testing::Test {
 protected:
  ProgramResult inspect(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"inspect", "--model",  model_, "--source",
                                          source_,   "--target", target_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  const TemporaryFolder folder_;
  const std::string model_ = write_model(folder_);
  const std::string source_ = folder_.write("source", "the cat\nsleeps\na table not cat\n");
  const std::string target_ = folder_.write("target", "die Katze\nnicht\ndem Tisch nicht\n");
};

TEST_F(InspectBatches, CountsTokensAndPadding) {
  const ProgramResult result = inspect({"--batch-tokens", "15"});  // 3 pairs of 5 positions
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "batch  source  tokens  padding  target  tokens  padding\n"
            "    1  [3, 5]      10     33 %  [3, 4]       9     25 %\n"
            "\n"
            "3 pairs in 1 batch of at most 15 source and 15 target positions (epoch 0, seed 1)\n"
            "padding: 33.3 % of 15 source positions, 25.0 % of 12 target positions\n");
}

TEST_F(InspectBatches, ShowsTheTokensOfOne) {
  const ProgramResult result = inspect({"--batch-tokens", "15", "--batch", "1", "--batches", "0"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::size_t begin = result.out.find("\nBatch 1\n");
  ASSERT_NE(begin, std::string::npos) << result.out;
  EXPECT_EQ(result.out.substr(begin),
            "\nBatch 1\n"
            "\nsource: the input of the encoder\n"
            " sleeps </s> <pad> <pad> <pad>\n"
            " the cat </s> <pad> <pad>\n"
            " a table not cat </s>\n"
            "\ntarget_input: the input of the decoder\n"
            " <s> nicht <pad> <pad>\n"
            " <s> die Katze <pad>\n"
            " <s> dem Tisch nicht\n"
            "\ntarget_output: the tokens to predict\n"
            " nicht </s> <pad> <pad>\n"
            " die Katze </s> <pad>\n"
            " dem Tisch nicht </s>\n");
}

// A pair by itself is a batch without padding; the longest is left out.
TEST_F(InspectBatches, ABudgetOfOneTokenPadsNothing) {
  const ProgramResult result = inspect({"--batch-tokens", "1", "--max-tokens", "3", "--batches", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "2 pairs in 2 batches of at most 1 source")) << result.out;
  EXPECT_TRUE(contains(result.out, "padding: 0.0 % of 5 source positions, 0.0 % of 5 target positions"))
      << result.out;
  EXPECT_EQ(count_lines(result.out), 5);
}

TEST_F(InspectBatches, TakesEverySeedThatTrainTakes) {
  const std::string seed = std::to_string(std::numeric_limits<Index>::max());
  const ProgramResult result = inspect({"--seed", seed, "--batch-tokens", seed, "--max-tokens", seed});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "(epoch 0, seed " + seed)) << result.out;
}

TEST_F(InspectBatches, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(failed_with_one_line(inspect({"--batch", "2"}), "inspect", {"--batch: 2", "choose 0 to 1"}));
  EXPECT_TRUE(failed_with_one_line(inspect({"--batch-tokens", "0"}), "inspect", {"--batch-tokens: 0"}));
  EXPECT_TRUE(failed_with_one_line(inspect({"--seed", "-1"}), "inspect", {"--seed: -1"}));
  EXPECT_TRUE(failed_with_one_line(run_program({"inspect", "--model", model_, "--source", source_}),
                                   "inspect", {"--source and --target belong together"}, 2));
}

}  // namespace
}  // namespace plainformer
