// Raw text in, raw text out: how text becomes words is a part of the model, and each command keeps it.
#include <gtest/gtest.h>

#include "core/split.h"
#include "model_folder/translator.h"
#include "runs/corpora.h"
#include "support/small_model_folder.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

constexpr const char* kRaw = "Ein Hund, (der \"Rex\" hei\u00DFt) schl\u00E4ft.";

std::vector<int> ids_of(LoadedModel& model, const std::string& text) {
  return SourceReader(model).read(text).ids;
}

class OwnWords : public testing::Test {
 protected:
  OwnWords() { write_both(kRaw); }

  // A text of forty times the same line on both sides.
  void write_both(const std::string& line) const {
    std::string text;
    for (int i = 0; i < 40; ++i) text += line + "\n";
    for (const char* name : {"train.en", "train.de", "valid.en", "valid.de"}) folder_.write(name, text);
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

  const TemporaryFolder folder_;
};

TEST_F(OwnWords, AreCutAndJoinedByDefault) {
  const ProgramResult result = train("model", {"--valid-bleu", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "words: marks are cut from words so that the cut can be undone\n"));
  LoadedModel model = load("model");
  EXPECT_EQ(model.words, (WordRule{.marks = true}));
  const std::string vocabulary = "\n" + model.vocabulary.to_text();
  for (const char* token : {"\nHund\n", "\n\uFFED.\n", "\n(\uFFED\n", "\n\"\uFFED\n", "\n\uFFED\"\n"})
    EXPECT_TRUE(contains(vocabulary, token)) << token << vocabulary;

  const std::vector<int> ids = ids_of(model, kRaw);
  EXPECT_EQ(model.decode(ids), kRaw);
  const Sentence sentence = SourceReader(model).read(kRaw);
  EXPECT_EQ(sentence.text(), kRaw);
  EXPECT_EQ(Translator(model).text_of({.tokens = ids}), kRaw);
}

TEST_F(OwnWords, AreComposedLetters) {
  for (const char* words : {"spaces", "marks"}) {
    ASSERT_EQ(train(words, {"--words", words}).exit_code, 0);
    LoadedModel model = load(words);
    EXPECT_EQ(ids_of(model, "schla\u0308ft."), ids_of(model, "schl\u00E4ft."));
  }
}

TEST_F(OwnWords, AreComparedAsTheyWereWritten) {
  ASSERT_EQ(train("model").exit_code, 0);
  const TrainSettings settings = parse_train_settings(
      {"--source", folder_.path_of("train.en"), "--target", folder_.path_of("train.de"), "--out", "x"});
  LoadedModel model = load("model");
  const Corpora corpora = load_corpora(settings);
  const TranslationTask task =
      translation_task(settings, corpora.train, 1, model.byte_pairs, model.vocabulary);
  EXPECT_EQ(task.references, Arguments{kRaw});
  EXPECT_EQ(task.words, model.words);
  EXPECT_EQ(task.sources, std::vector<std::vector<int>>{ids_of(model, kRaw)});
}

TEST_F(OwnWords, AreKeptByWhatMakesAModelOfAModel) {
  ASSERT_EQ(train("model", {"--case", "marks", "--checkpoint-every", "3"}).exit_code, 0);
  const WordRule rule = {.marks = true, .case_marks = true};
  EXPECT_EQ(load("model").words, rule);
  const std::string model = folder_.path_of("model"), file = folder_.path_of("weights.safetensors");
  ASSERT_EQ(run_program({"average", "--model", model, "--out", folder_.path_of("mean")}).exit_code, 0);
  EXPECT_EQ(load("mean").words, rule);
  ASSERT_EQ(run_program({"export", "--to", "pytorch", "--model", model, "--out", file}).exit_code, 0);
  ASSERT_EQ(run_program({"import", "--from", "pytorch", "--source", file, "--bpe", model + "/bpe.codes",
                         "--vocabulary", model + "/vocabulary.txt", "--out", folder_.path_of("back")})
                .exit_code,
            0);
  EXPECT_EQ(load("back").words, rule);
  EXPECT_TRUE(contains(run_program({"inspect", "--model", model}).out,
                       "  words                   marks\n  case                    marks\n"));
  const ProgramResult scores =
      run_program({"score", "--model", model, "--source", folder_.write("one", std::string(kRaw) + "\n"),
                   "--target", folder_.path_of("one")});
  LoadedModel loaded = load("model");
  const std::string tokens = "\t" + std::to_string(ids_of(loaded, kRaw).size() + 1) + "\n";
  EXPECT_TRUE(scores.out.ends_with(tokens)) << scores.out << tokens;
}

TEST_F(OwnWords, CannotChangeInAResumedRun) {
  ASSERT_EQ(train("model").exit_code, 0);
  const std::vector<std::string> resume = {"train", "--resume", "--steps",
                                           "8",     "--out",    folder_.path_of("model")};
  std::vector<std::string> other = resume;
  other.insert(other.end(), {"--words", "spaces"});
  EXPECT_TRUE(failed_with_one_line(run_program(other), "train", {"--words and --case cannot change"}, 2));
  EXPECT_EQ(run_program(resume).exit_code, 0);
  EXPECT_EQ(load("model").words, (WordRule{.marks = true}));
}

TEST_F(OwnWords, OfARunWithoutThemEndAtBlanks) {
  ASSERT_EQ(train("model", {"--words", "spaces"}).exit_code, 0);
  EXPECT_FALSE(contains(folder_.read("model/model.safetensors"), "\"words\""));
  std::string record = folder_.read("model/run.json");
  const std::string words = "\"--words\", \"spaces\", ";
  ASSERT_NE(record.find(words), std::string::npos) << record;
  record.erase(record.find(words), words.size());
  folder_.write("model/run.json", record);
  const ProgramResult resumed =
      run_program({"train", "--resume", "--steps", "8", "--out", folder_.path_of("model")});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(load("model").words, WordRule());
}

TEST_F(OwnWords, ThatSpellASpecialSymbolComeBack) {
  write_both("<s> w </s> a</w> <unk>");
  ASSERT_EQ(train("model", {"--words", "spaces"}).exit_code, 0);
  LoadedModel model = load("model");
  EXPECT_EQ(ids_of(model, "<s>").size(), 1u);
  for (const char* line : {"<s> w </s>", "a</w>", "w <unk> w"})
    EXPECT_EQ(model.decode(ids_of(model, line)), line);
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
  EXPECT_TRUE(says({"--overwrite"}, "training text: 40 pairs look cut by byte pair encoding already"));
}

TEST_F(OwnWords, OfAnUnknownKindAreRefused) {
  EXPECT_TRUE(
      failed_with_one_line(train("model", {"--words", "syllables"}), "train",
                           {"--words and --case: words are cut at \"syllables\"", "spaces or marks"}));
  EXPECT_TRUE(failed_with_one_line(
      run_program({"train", "--words", "marks", "--treebank", "trees", "--out", folder_.path_of("x")}),
      "train", {"leave out --words marks"}, 2));
  ASSERT_EQ(train("model").exit_code, 0);
  const ModelFolder model(folder_.path_of("model"));
  save_weights(*load("model").transformer, {{"words", "parks"}}, model.weights());
  EXPECT_TRUE(contains(thrown_message<std::runtime_error>([&] { load("model"); }),
                       "model.safetensors: words are cut at \"parks\", which is unknown (hint: "));
}

}  // namespace
}  // namespace plainformer
