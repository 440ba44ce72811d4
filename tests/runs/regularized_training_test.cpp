// plainformer train with regularized attention (5.4).
#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

// Trains with all the options, in several ways that must end with the same weights; and without one of them at a
// time, which must change them.
void expect_the_same_bits_however_it_is_trained(
    const std::vector<std::pair<std::string, std::string>>& options) {
  const TemporaryFolder folder;
  write_text(folder);
  const auto train = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"--steps", "6", "--encoder-layers", "3"};
    for (const auto& [name, value] : options) arguments.insert(arguments.end(), {name, value});
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run_program(train_arguments(folder, out, arguments)).exit_code, 0);
    return folder.read(out + "/model.safetensors");
  };
  const std::string whole = train("whole", {"--threads", "1"});
  EXPECT_TRUE(train("threads", {"--threads", "3"}) == whole);
  EXPECT_TRUE(train("recompute", {"--recompute"}) == whole);
  train("resumed", {"--steps", "3", "--checkpoint-every", "3"});
  ASSERT_EQ(run_program({"train", "--resume", "--out", folder.path_of("resumed"), "--steps", "6"}).exit_code,
            0);
  EXPECT_TRUE(folder.read("resumed/model.safetensors") == whole);
  for (const auto& [name, value] : options) EXPECT_FALSE(train(name, {name, "0"}) == whole) << name;
}

// Dropped and penalized attention weights are drawn again from their step and place, like any dropout.
TEST(RegularizedTraining, HasTheSameBitsHoweverItIsTrained) {
  expect_the_same_bits_however_it_is_trained(
      {{"--attention-dropout", "0.2"}, {"--head-dropout", "0.1"}, {"--attention-penalty", "0.05"}});
}

// So are cuts of words, hidden words and left-out layers, from the epoch or the step.
TEST(RegularizedTraining, BeyondThePaperLikewise) {
  expect_the_same_bits_however_it_is_trained(
      {{"--r-drop", "5"}, {"--bpe-dropout", "0.2"}, {"--word-dropout", "0.2"}, {"--layer-drop", "0.4"}});
}

TEST(RegularizedTraining, RefusesWhatIsNoProbability) {
  const TemporaryFolder folder;
  write_text(folder);
  for (const char* option : {"--bpe-dropout", "--word-dropout", "--layer-drop"}) {
    const ProgramResult result = run_program(train_arguments(folder, "out", {option, "1"}));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(
        result.err, std::string(option) + ": 1 is out of range (hint: choose at least 0 and less than 1"))
        << result.err;
  }
}

// Without dropout, both passes of R-Drop are one.
TEST(RegularizedTraining, RefusesToCompareEqualPasses) {
  const TemporaryFolder folder;
  write_text(folder);
  EXPECT_TRUE(
      failed_with_one_line(run_program(train_arguments(folder, "out", {"--r-drop", "5", "--dropout", "0"})),
                           "train", {"--r-drop compares two passes that differ by their dropout"}, 2));
}

// The word is a piece that byte pair encoding makes, and an entry of every vocabulary.
TEST(RegularizedTraining, BytePairDropoutGoesOnWithATextThatHoldsTheUnknownWord) {
  const TemporaryFolder folder;
  write_text(folder);
  for (const char* name : {"train.en", "train.de"}) {
    std::string text;
    for (int i = 0; i < 50; ++i) text += "the <unk> sleeps here\n";
    folder.write(name, text);
  }
  const std::vector<std::string> dropout = {"--bpe-dropout", "0.1", "--steps", "2"};
  ASSERT_EQ(run_program(train_arguments(folder, "out", dropout)).exit_code, 0);
  const ProgramResult result =
      run_program({"train", "--resume", "--out", folder.path_of("out"), "--steps", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

// The vocabulary of a model that was trained without it lacks pieces of words.
TEST(RegularizedTraining, BytePairDropoutCannotBeginLater) {
  const TemporaryFolder folder;
  write_text(folder);
  ASSERT_EQ(run_program(train_arguments(folder, "out")).exit_code, 0);
  EXPECT_TRUE(failed_with_one_line(run_program({"train", "--resume", "--out", folder.path_of("out"),
                                                "--steps", "9", "--bpe-dropout", "0.1"}),
                                   "train", {"vocabulary.txt: lacks \"", "which --bpe-dropout makes"}));
}

}  // namespace
}  // namespace plainformer
