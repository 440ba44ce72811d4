// Bad text and bad options give one line with file, line and hint, and exit code 1, and nothing is lost.
#include <gtest/gtest.h>

#include "support/pattern.h"
#include "support/small_model_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

// Trains over a model with --overwrite. The model must survive what is refused.
class MalformedText : public testing::Test {
 protected:
  MalformedText() {
    write_text(folder_);
    write_model(folder_);
    before_ = snapshot(folder_.path_of("model"));
  }

  ProgramResult train(const std::vector<std::string>& options) {
    const ProgramResult result =
        run_program(train_arguments(folder_, "model", joined({"--overwrite"}, options)));
    EXPECT_TRUE(snapshot(folder_.path_of("model")) == before_) << "the model was touched";
    return result;
  }

  void expect_refused(const std::vector<std::string>& options, const std::vector<std::string>& parts) {
    EXPECT_TRUE(refused(train(options), parts));
  }

  const TemporaryFolder folder_;
  std::vector<std::pair<std::string, std::string>> before_;
};

TEST_F(MalformedText, FilesThatAreNone) {
  const std::string missing = folder_.path_of("missing");
  const NamedPipe pipe(folder_.path_of("pipe"));
  for (const char* option :
       {"--source", "--target", "--pairs", "--valid-source", "--valid-target", "--valid-pairs"}) {
    expect_refused({option, missing}, {missing + ": no such file"});
    expect_refused({option, folder_.path()}, {folder_.path() + ": is a folder"});
    expect_refused({option, pipe.path()}, {pipe.path() + ": is not a regular file"});
  }
}

TEST_F(MalformedText, UnequalNumbersOfLinesAreBothNamed) {
  const std::string two = folder_.write("two", "a\nb"), three = folder_.write("three", "a\nb\nc\n");
  expect_refused({"--source", two, "--target", three}, {two, "2 lines", three, "has 3"});
  expect_refused({"--valid-source", three, "--valid-target", two}, {two, "3 lines", three, "has 2"});
}

TEST_F(MalformedText, NothingToLearnFrom) {
  const std::string empty = folder_.write("empty", "");
  expect_refused({"--source", empty, "--target", empty}, {empty + ": "});
  const std::string blank = folder_.write("blank", "\n \n\r\n"), text = folder_.write("text", "a\nb\nc\n");
  expect_refused({"--source", blank, "--target", text}, {blank + ": "});
  expect_refused({"--valid-source", text, "--valid-target", blank}, {text + ": "});
}

TEST_F(MalformedText, BytesThatAreNoTextAreNamedByLine) {
  using namespace std::string_literals;
  const std::string text = folder_.write("text", "a\nb\nc\n");
  const std::string latin = folder_.write("latin", "a\nb\nsch\xF6n\n");
  expect_refused({"--source", latin, "--target", text}, {latin + ":3: not valid UTF-8"});
  const std::string binary = folder_.write("binary", "a\nb\0\nc\n"s);
  expect_refused({"--source", text, "--target", binary}, {binary + ":2: contains a NUL byte"});
  const std::string utf16 = folder_.write("utf16", "\377\376a\0\n\0"s);
  expect_refused({"--source", utf16, "--target", text}, {utf16 + ":1: not valid UTF-8"});
}

// A line of 100,000 words, and a word of a megabyte.
class LongText : public MalformedText {
 protected:
  const std::string long_word_ = std::string(1'000'000, 'x') + "\n",
                    source_ = folder_.write("long.en", folder_.read("train.en") +
                                                           repeated("the cat ", 50'000) + "\n" + long_word_),
                    target_ = folder_.write("long.de", folder_.read("train.de") + long_word_ + "das\n"),
                    model_ = folder_.path_of("model");
};

TEST_F(LongText, IsLeftOutOfATrainingAndNamedByScore) {
  const ProgramResult result = run_program(
      train_arguments(folder_, "new", {"--source", source_, "--target", target_, "--steps", "1"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(
      contains(result.err,
               "training text: pairs that are left out because one side has more than 63 tokens: 2 (first: " +
                   source_ + ":81-82)\n"))
      << result.err;
  const ProgramResult scored =
      run_program({"score", "--model", model_, "--source", source_, "--target", target_});
  EXPECT_TRUE(refused(with_last_line(scored), {source_ + ":81: 100000 tokens"}));
}

TEST_F(LongText, IsCutByTranslateAndBpeAndCountedByBleu) {
  const ProgramResult result =
      run_program({"translate", "--model", model_, "--extra-length", "0"}, {.stdin_path = source_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count_lines(result.out), 82);
  EXPECT_TRUE(contains(result.err, "standard input:81: 100000 tokens, cut to 63 (hint: ")) << result.err;
  EXPECT_TRUE(contains(result.err, "standard input:82: ")) << result.err;

  const ProgramResult bleu = run_program({"bleu", "--reference", source_}, {.stdin_path = source_});
  EXPECT_EQ(bleu.exit_code, 0) << bleu.err;
  EXPECT_TRUE(contains(bleu.out, "BLEU = 100.00 ")) << bleu.out;

  const std::string codes = folder_.path_of("codes");
  EXPECT_EQ(run_program({"bpe", "learn", source_, "--out", codes, "--merges", "100"}).exit_code, 0);
  const ProgramResult pieces = run_program({"bpe", "apply", "--codes", codes}, {.stdin_path = source_});
  EXPECT_EQ(pieces.exit_code, 0) << pieces.err;
  EXPECT_EQ(count_lines(pieces.out), 82);
}

// The merges are learned by then, so the error comes after their progress.
TEST_F(MalformedText, OnlySentencesThatAreTooLong) {
  const ProgramResult result = train({"--max-tokens", "1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, "plainformer train: " + folder_.path_of("train.en") +
                                       ": has no pair of at most 1 tokens on each side (hint: "))
      << result.err;
}

TEST_F(MalformedText, HyperParametersThatDoNotFit) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--heads", "3"}, "3 heads do not divide d_model 16"},
      {{"--dropout", "nan"}, "--dropout: nan"},
      {{"--label-smoothing", "1"}, "--label-smoothing: 1"},
      {{"--warmup", "0"}, "--warmup: 0"},
      {{"--learning-rate-scale", "inf"}, "--learning-rate-scale: inf"},
      {{"--adam-beta1", "1"}, "--adam-beta1: 1"},
      {{"--adam-beta2", "-0.5"}, "--adam-beta2: -0.5"},
      {{"--adam-epsilon", "0"}, "--adam-epsilon: 0"},
      {{"--clip-norm", "-1"}, "--clip-norm: -1"},
      {{"--merges", "100001"}, "--merges: 100001"},
      {{"--toy-pairs", "999001"}, "--toy-pairs: 999001"},
      {{"--batch-tokens", "0"}, "--batch-tokens: 0"},
      {{"--accumulate", "0"}, "--accumulate: 0"},
      {{"--max-tokens", "0"}, "--max-tokens: 0"},
      {{"--steps", "0"}, "--steps: 0"},
      {{"--minutes", "nan"}, "--minutes: nan"},
      {{"--validate-every", "-1"}, "--validate-every: -1"},
      {{"--checkpoint-every", "0"}, "--checkpoint-every: 0"},
      {{"--keep", "0"}, "--keep: 0"},
      {{"--patience", "-1"}, "--patience: -1"},
      {{"--seed", "-1"}, "--seed: -1"},
      {{"--threads", "1025"}, "--threads: 1025"},
  };
  for (const auto& [options, message] : cases) expect_refused(options, {message});
}

TEST_F(MalformedText, AnOutThatIsNoFolder) {
  const std::string file = folder_.write("file", "precious");
  for (const std::string& out : {file, file + "/model"}) {
    EXPECT_TRUE(refused(run_program(train_arguments(folder_, "unused", {"--out", out})),
                        {out + ": cannot be made: ", "a file may be in the way", "--out"}));
  }
  EXPECT_EQ(folder_.read("file"), "precious");
}

// A learning rate at which nothing stays finite, after three good steps.
TEST_F(MalformedText, ALossThatExplodesKeepsTheLastCheckpoint) {
  const auto state_of = [&](const std::string& out) {
    return folder_.read(out + "/checkpoints/training_state.safetensors");
  };
  const auto resume = [&](const std::string& scale, const std::string& steps) {
    return run_program({"train", "--resume", "--out", folder_.path_of("exploded"), "--learning-rate-scale",
                        scale, "--steps", steps});
  };
  const auto train_new = [&](const std::string& out, const std::string& steps) {
    return run_program(train_arguments(folder_, out, {"--learning-rate-scale", "1", "--steps", steps}));
  };
  ASSERT_EQ(train_new("exploded", "3").exit_code, 0);
  const std::string state = state_of("exploded");
  const ProgramResult result = resume(kExplosive, "1000");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(
      contains(result.err, "plainformer train: the training: 10 steps in a row were skipped, because the "))
      << result.err;
  EXPECT_TRUE(contains(result.err, "--learning-rate-scale, or try --clip-norm 1")) << result.err;
  const Pattern skipped("step \\d+ skipped: the loss is not finite");
  EXPECT_EQ(skipped.all_in(result.err).size(), 10u) << result.err;

  EXPECT_TRUE(state_of("exploded") == state);
  EXPECT_EQ(resume("1", "5").exit_code, 0);
  ASSERT_EQ(train_new("whole", "5").exit_code, 0);
  EXPECT_TRUE(state_of("exploded") == state_of("whole"));
}

// Its first update would be infinite, which must not reach a file.
TEST_F(MalformedText, ARateThatNoFloatHoldsIsRefusedBeforeItDoesHarm) {
  const ProgramResult result =
      run_program(train_arguments(folder_, "exploded",
                                  {"--learning-rate-scale", "1e300", "--checkpoint-every", "1",
                                   "--validate-every", "1", "--steps", "1"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "10 steps in a row were skipped, because the learning rate is not finite"))
      << result.err;
  EXPECT_FALSE(holds_model(ModelFolder(folder_.path_of("exploded"))));
}

}  // namespace
}  // namespace plainformer
