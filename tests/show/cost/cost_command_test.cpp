// plainformer cost.
#include <gtest/gtest.h>

#include "support/pattern.h"
#include "support/program.h"

namespace plainformer {
namespace {

ProgramResult cost(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "cost");
  return run_program(arguments);
}

// The output, with one blank where a table has several.
std::string text_of(const std::vector<std::string>& arguments) {
  const ProgramResult result = cost(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return with_single_blanks(result.out);
}

TEST(CostCommand, AccountsForThePapersModels) {
  const ProgramResult base = cost({"--preset", "base"}), big = cost({"--preset", "big"});
  ASSERT_EQ(base.exit_code, 0) << base.err;
  EXPECT_TRUE(
      contains(base.out, "a batch: 1000 sentences of 25 source and 25 target tokens, 25000 and 25000"));
  EXPECT_TRUE(contains(base.out, "\ntotal                                          63045632 ")) << base.out;
  EXPECT_TRUE(contains(base.out, "\n100000 such steps: 9.52e17 operations as the equations write them; "));
  EXPECT_TRUE(contains(big.out, "\ntotal                                         214171648 ")) << big.out;
  EXPECT_TRUE(contains(big.out, "\n300000 such steps: 9.67e18 operations"));
}

// A step that runs holds exactly the bytes of the account.
TEST(CostCommand, RunsAStepThatCostsWhatTheAccountSays) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--recompute"}, {"--plain"}, {"--plain=attention", "--recompute"}}) {
    const std::string text = text_of(joined(
        {"--preset", "nano", "--run", "--batch-tokens", "33", "--length", "11", "--threads", "2"}, more));
    EXPECT_TRUE(Pattern("\nbytes of tensors at the peak ([0-9]+) \\1\n").first_in(text)) << text;
    EXPECT_TRUE(contains(text, ", 2 threads, "));
  }
}

TEST(CostCommand, TakesTheOptionsOfTrain) {
  EXPECT_EQ(run_program({"cost", "--preset", "page"}).exit_code, 0) << "its sentences are shorter";
  const std::string text =
      text_of({"--encoder-layers", "1", "--decoder-layers=3", "--d-model", "6", "--d-ff", "10", "--heads",
               "2", "--positions", "learned", "--max-length", "30", "--vocab", "11", "--batch-tokens", "77"});
  EXPECT_TRUE(text.starts_with("tiny: 1+3 layers, d_model 6, ")) << text;
  EXPECT_TRUE(contains(text, "\na batch: 3 sentences of 25 "));
  EXPECT_TRUE(contains(text, "\nembedding, positions " + std::to_string((11 + 30) * 6) + " "));
  EXPECT_TRUE(contains(text, "\nencoder feed-forward " + std::to_string(2 * 60 + 16) + " "));
  EXPECT_TRUE(contains(text, "\ndecoder feed-forward " + std::to_string(3 * (2 * 60 + 16)) + " "));
}

TEST(CostCommand, NamesTheOptionThatIsOutOfRange) {
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> cases = {
      {{"--heads", "3"}, {"3 heads do not divide d_model 8"}},
      {{"--vocab", "2"}, {"vocab: 2", "choose 5 to"}},
      {{"--vocab", "-1"}, {"--vocab: -1", "choose at least 0"}},
      {{"--length", "33"}, {"--length: 33", "choose 1 to 32"}},
      {{"--length", "-1"}, {"--length: -1", "choose 1 to 32"}},
      {{"--batch-tokens", "0"}, {"--batch-tokens: 0"}},
      {{"--steps", "0"}, {"--steps: 0"}},
      {{"--threads", "-1"}, {"--threads: -1"}},
      {{"--plain=atention"}, {"there is no group of operations \"atention\""}},
  };
  for (const auto& [more, messages] : cases)
    EXPECT_TRUE(refused(cost(joined({"--preset", "nano"}, more)), messages)) << more[0];
}

}  // namespace
}  // namespace plainformer
