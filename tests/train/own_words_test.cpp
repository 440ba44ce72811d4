// Raw text in, raw text out: how text becomes words is a part of the model, and each command keeps it.
#include <gtest/gtest.h>

#include "core/strings.h"
#include "model_folder/translator.h"
#include "support/small_model_folder.h"
#include "train/corpora.h"

namespace plainformer {
namespace {

constexpr const char* kRaw = "Ein Hund, (der \"Rex\" hei\u00DFt) schl\u00E4ft.";
constexpr WordRule kUsualRule = {.marks = true};

std::vector<int> ids_of(LoadedModel& model, const std::string& text) {
  return SourceReader(model).read(text).ids;
}

class OwnWords : public TrainingOnText {
 protected:
  OwnWords() { write_both(kRaw); }

  // A text of forty times the same line on both sides.
  void write_both(const std::string& line) const {
    for (const char* name : {"train.en", "train.de", "valid.en", "valid.de"})
      folder_.write(name, repeated(line + "\n", 40));
  }
  // A short training run with these options, and --words as by default.
  ProgramResult train(const std::string& out, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = train_arguments(folder_, out, options);
    const auto words = std::find(arguments.begin(), arguments.end(), "--words");
    if (std::find(options.begin(), options.end(), "--words") == options.end())
      arguments.erase(words, words + 2);
    return run_program(arguments);
  }
  LoadedModel load(const std::string& out) const { return load_model(ModelFolder(folder_.path_of(out))); }
};

TEST_F(OwnWords, AreCutAndJoinedByDefault) {
  const ProgramResult result = train("model", {"--valid-bleu", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "words: marks are cut from words so that the cut can be undone\n"));
  LoadedModel model = load("model");
  EXPECT_EQ(model.words, kUsualRule);
  const std::string vocabulary = "\n" + model.vocabulary.to_text();
  for (const char* token : {"\nHund\n", "\n\uFFED.\n", "\n(\uFFED\n", "\n\"\uFFED\n", "\n\uFFED\"\n"})
    EXPECT_TRUE(contains(vocabulary, token)) << token << vocabulary;

  const std::vector<int> ids = ids_of(model, kRaw);
  EXPECT_EQ(model.decode(ids), kRaw);
  const Sentence sentence = SourceReader(model).read(kRaw);
  EXPECT_EQ(sentence.text(), kRaw);
}

TEST_F(OwnWords, AreKeptByWhatMakesAModelOfAModel) {
  ASSERT_EQ(train("model", {"--checkpoint-every", "3"}).exit_code, 0);
  EXPECT_EQ(load("model").words, kUsualRule);
  const std::string model = folder_.path_of("model"), file = folder_.path_of("weights.safetensors");
  ASSERT_EQ(run_program({"average", "--model", model, "--out", folder_.path_of("mean")}).exit_code, 0);
  EXPECT_EQ(load("mean").words, kUsualRule);
  ASSERT_EQ(run_program({"export", "--model", model, "--out", file}).exit_code, 0);
  ASSERT_EQ(run_program({"import", "--source", file, "--bpe", model + "/bpe.codes", "--vocabulary",
                         model + "/vocabulary.txt", "--out", folder_.path_of("back")})
                .exit_code,
            0);
  EXPECT_EQ(load("back").words, kUsualRule);
  EXPECT_TRUE(contains(run_program({"inspect", "--model", model}).out, "  words                   marks\n"));
  const ProgramResult scores =
      run_program({"score", "--model", model, "--source", folder_.write("one", std::string(kRaw) + "\n"),
                   "--target", folder_.path_of("one")});
  LoadedModel loaded = load("model");
  const std::string tokens = "\t" + std::to_string(ids_of(loaded, kRaw).size() + 1) + "\n";
  EXPECT_TRUE(scores.out.ends_with(tokens)) << scores.out << tokens;
}

TEST_F(OwnWords, ThatSpellASpecialSymbolComeBack) {
  write_both("<s> w </s> a</w> <unk>");
  ASSERT_EQ(train("model", {"--words", "spaces"}).exit_code, 0);
  LoadedModel model = load("model");
  EXPECT_EQ(ids_of(model, "<s>").size(), 1u);
  for (const char* line : {"<s> w </s>", "a</w>", "w <unk> w"})
    EXPECT_EQ(model.decode(ids_of(model, line)), line);
}

// "ab" is only ever a part of "abc" and "abd", which more pairs have than "ay" and "bz". So the vocabulary
// has a@@ and b@@, but no ab@@.
TEST_F(OwnWords, ThatAreNewAreCutIntoKnownPieces) {
  const std::string text = repeated("abc abd ay bz\nabc abd\nabc abd\nabc abd\n", 10);
  for (const char* name : {"train.en", "train.de", "valid.en", "valid.de"}) folder_.write(name, text);
  ASSERT_EQ(train("model", {"--merges", "3"}).exit_code, 0);
  LoadedModel model = load("model");
  EXPECT_EQ(SourceReader(model).read("abc ay").pieces, (Arguments{"abc", "a@@", "y"}));
  EXPECT_EQ(SourceReader(model).read("abz").pieces, (Arguments{"a@@", "b@@", "z"}));
  EXPECT_EQ(model.decode(ids_of(model, "abz")), "abz");

  const std::string notes =
      run_program({"translate", "--model", folder_.path_of("model")}, {.input = "abz\nabq\nyy\n"}).err;
  EXPECT_TRUE(
      notes.starts_with("standard input:2: the model never saw q and reads <unk> instead\n"
                        "standard input:3: the model lacks a piece of \"yy\" and reads <unk> instead\n"))
      << notes;
}

TEST_F(OwnWords, AreCutAlikeByAResumedRunAndOneThatGoesOn) {
  write_both("abc abc abd abd ay bz");
  for (const char* name : {"valid.en", "valid.de"}) folder_.write(name, "abz\n");
  const std::vector<std::string> options = {"--merges", "3", "--validate-every", "1"};
  ASSERT_EQ(train("whole", joined(options, {"--steps", "4"})).exit_code, 0);
  ASSERT_EQ(train("halves", joined(options, {"--steps", "2"})).exit_code, 0);
  ASSERT_EQ(resume("halves", {"--steps", "4"}).exit_code, 0);
  EXPECT_EQ(folder_.read("halves/model.safetensors"), folder_.read("whole/model.safetensors"));
  EXPECT_EQ(load("halves").words, kUsualRule);

  const ProgramResult nothing = resume("halves", {"--steps", "1"});
  EXPECT_TRUE(contains(
      nothing.err, "the run has made 4 steps already, and none is left (hint: a larger --steps goes on)\n"))
      << nothing.err;
  ASSERT_EQ(train("spaces", {"--merges", "3", "--words", "spaces"}).exit_code, 0);
  const ProgramResult on =
      run_program({"train", "--from", folder_.path_of("spaces"), "--source", folder_.path_of("train.en"),
                   "--target", folder_.path_of("train.de"), "--steps", "1", "--out", folder_.path_of("on")});
  ASSERT_EQ(on.exit_code, 0) << on.err;
  EXPECT_EQ(load("on").words, WordRule());
}

TEST_F(OwnWords, AreSaidToSuitTheTextOrNot) {
  const auto says = [&](const std::vector<std::string>& options, const std::string& text) {
    const ProgramResult result = train("model", options);
    return result.exit_code == 0 && contains(result.err, text) ? testing::AssertionSuccess()
                                                               : testing::AssertionFailure() << result.err;
  };
  EXPECT_TRUE(says({"--words", "spaces"}, "(hint: it does not look tokenized; --words marks cuts"));
  write_both("Ein Hund schl\u00E4ft .");
  EXPECT_TRUE(says({"--overwrite"}, "--words spaces suits it)\n"));
  EXPECT_TRUE(says({"--words", "spaces", "--overwrite"}, "text that is tokenized like this one\n"));
  write_both("hi@@ gh lo@@ wer");
  EXPECT_TRUE(says({"--overwrite"}, "training text: pairs that look cut by byte pair encoding already"));
}

// "lo@@" could not be told from a piece: "lo@@ w" would come back as "low", and "at@@" as "at".
TEST_F(OwnWords, ThatEndLikePiecesAreRefusedWhereBlanksAloneEndThem) {
  folder_.write("train.de", repeated("ein Wort\n", 6) + "ein Wort at@@\n" + repeated("ein Wort\n", 33));
  EXPECT_TRUE(refused(train("model", {"--words", "spaces"}),
                      {"train.en:7: the pair has the word \"at@@\"", "--words marks reads them"}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path_of("model")));
  ASSERT_EQ(train("model").exit_code, 0);
  LoadedModel model = load("model");
  EXPECT_EQ(model.decode(ids_of(model, "ein Wort at@@")), "ein Wort at@@");
  write_both("ein Wort at@@b @@c d@");
  ASSERT_EQ(train("spaces", {"--words", "spaces"}).exit_code, 0);
  LoadedModel spaces = load("spaces");
  EXPECT_EQ(spaces.decode(ids_of(spaces, "ein Wort at@@b @@c d@")), "ein Wort at@@b @@c d@");
  for (const char* name : {"valid.en", "valid.de"}) folder_.write(name, "ein\n@@ Wort\n");
  EXPECT_TRUE(refused(train("x", {"--words", "spaces"}), {"valid.en:2: the pair has the word \"@@\""}));
}

}  // namespace
}  // namespace plainformer
