// train --from: a run that goes on from a trained model, with other text.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/strings.h"
#include "support/small_model_folder.h"
#include "train/run_record.h"

namespace plainformer {
namespace {

class GoingOn : public TrainingOnText {
 protected:
  // A model of the text of seed 1; then the text is that of seed 2.
  GoingOn() {
    EXPECT_EQ(train("model", {"--checkpoint-every", "2"}).exit_code, 0);
    write_text(folder_, /*seed=*/2);
  }

  std::vector<std::string> arguments(const std::string& out, const std::vector<std::string>& more = {},
                                     const std::string& from = "model") const {
    std::vector<std::string> usual = split_at(' ', "--preset toy --batch-tokens 320 --steps 6 --threads 1");
    for (const std::string text : {"train", "valid"}) {
      const std::string option = text == "train" ? "--" : "--valid-";
      usual.insert(usual.end(), {option + "source", folder_.path_of(text + ".en"), option + "target",
                                 folder_.path_of(text + ".de")});
    }
    usual.insert(usual.end(), {"--from", folder_.path_of(from), "--out", folder_.path_of(out)});
    return joined({"train"}, with_usual(usual, more));
  }
  std::string go_on(const std::string& out, const std::vector<std::string>& more = {},
                    const std::string& from = "model") const {
    const ProgramResult result = run_program(arguments(out, more, from));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  }
  std::string weights(const std::string& out) const { return folder_.read(out + "/model.safetensors"); }
  // The run is refused in one line, perhaps below the report of the text, and neither folder changes.
  void expect_refused(const std::vector<std::string>& run, const std::vector<std::string>& parts,
                      int exit_code = 2) const {
    const auto before = snapshot(folder_.path_of(""));
    EXPECT_TRUE(refused(with_last_line(run_program(run)), parts, exit_code));
    EXPECT_TRUE(snapshot(folder_.path_of("")) == before);
  }
};

TEST_F(GoingOn, StartsWithTheWeightsAndTheTextRulesOfTheModel) {
  const std::string lines = go_on("next", {"--minutes", "1e-9"});  // not one step
  EXPECT_TRUE(weights("next") == weights("model"));
  for (const std::string file : {"/bpe.codes", "/vocabulary.txt"})
    EXPECT_EQ(folder_.read("next" + file), folder_.read("model" + file));
  EXPECT_TRUE(contains(lines, "step 0: validation loss ")) << lines;
  const std::string log = folder_.read("next/log.jsonl");
  EXPECT_TRUE(log.starts_with("{\"step\": 0, \"valid_loss\": ")) << log.substr(0, 100);
}

TEST_F(GoingOn, ResumesToTheSameBitsWithoutTheModel) {
  const std::vector<std::string> options = {"--checkpoint-every", "2", "--dropout", "0.3"};
  go_on("whole", joined(options, {"--steps", "9"}));
  go_on("parts", joined(options, {"--steps", "3"}));
  std::filesystem::rename(folder_.path_of("model"), folder_.path_of("elsewhere"));
  const ProgramResult result = resume("parts", {"--steps", "9"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(same_files(folder_, "parts", "whole"));
}

TEST_F(GoingOn, HasTheSizesOfTheModelInItsRecord) {
  go_on("next");
  const Settings settings = read_run_settings(ModelFolder(folder_.path_of("next")));
  EXPECT_EQ(settings.model.d_model, 16);
  EXPECT_EQ(settings.model.max_length, 64);
  EXPECT_EQ(settings.merges, 200);
  EXPECT_EQ(settings.training.learning_rate.d_model, 16);
  EXPECT_EQ(settings.training.learning_rate.warmup_steps, 300) << "the preset's";
  EXPECT_EQ(settings.from, folder_.path_of("model"));
}

TEST_F(GoingOn, ChoosesARecipeWithoutMergesByTheText) {
  std::vector<std::string> run = arguments("next");
  run.erase(std::find(run.begin(), run.end(), "--preset"), std::find(run.begin(), run.end(), "--preset") + 2);
  const ProgramResult result = run_program(run);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.err.starts_with("recipe: --preset toy --batch-tokens")) << result.err;

  // Without --steps, the weights of the best translations are kept, as in a run that begins with none.
  run.erase(std::find(run.begin(), run.end(), "--steps"), std::find(run.begin(), run.end(), "--steps") + 2);
  run.insert(run.end(), {"--overwrite", "--minutes", "0.001"});
  const ProgramResult best = run_program(run);
  ASSERT_EQ(best.exit_code, 0) << best.err;
  EXPECT_TRUE(contains(best.err, " --valid-bleu 100 --best-by bleu --patience 4 ")) << best.err;
  EXPECT_TRUE(contains(folder_.read("next/run.json"), "\"--best-by\", \"bleu\"")) << best.err;
}

TEST_F(GoingOn, WorksOnTheBuiltInGrammar) {
  const ProgramResult result =
      run_program({"train", "--from", folder_.path_of("model"), "--preset", "nano", "--steps", "2",
                   "--max-tokens", "60", "--out", folder_.path_of("next")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "Held-out exact match: ")) << result.out;
}

TEST_F(GoingOn, CountsTheKnownPiecesAndNamesNewCharacters) {
  ASSERT_EQ(train("cut", {"--words", "marks"}).exit_code, 0);
  folder_.write("train.en", "the man sleeps\nthe man ж sleeps\n");
  folder_.write("train.de", "der Mann schläft\nder Mann ж щ ж schläft\n");
  const std::string lines = go_on("next");
  EXPECT_TRUE(contains(lines, "training text: the vocabulary of " + folder_.path_of("model") + " has "))
      << lines;
  EXPECT_TRUE(contains(lines,
                       " of this text, and the model never saw ж щ; the model reads the others as "
                       "<unk>, and learns to write <unk>\n"))
      << lines;
  EXPECT_TRUE(
      contains(go_on("of_cut", {}, "cut"), "; the model reads the others as <unk> and cannot write them\n"));
}

TEST_F(GoingOn, RefusesTextOfAnotherScript) {
  const std::string text = folder_.write("train.en", "кошка спит\nсобака спит\n");
  folder_.write("train.de", "die Katze schläft\nder Hund schläft\n");
  expect_refused(
      arguments("model2", {"--overwrite"}),
      {text + ": the vocabulary of ", "and the model never saw ", "train a new model on this text"}, 1);
}

TEST_F(GoingOn, RefusesOtherSizes) {
  const std::vector<std::pair<std::string, std::string>> options = {
      {"--d-model", "32"}, {"--heads", "4"},         {"--encoder-layers", "2"}, {"--d-k", "4"},
      {"--merges", "100"}, {"--d-ff", "48"},         {"--max-length", "128"},   {"--positions", "learned"},
      {"--d-v", "4"},      {"--decoder-layers", "2"}};
  for (const auto& [option, value] : options)
    expect_refused(arguments("next", {option, value}),
                   {"--from keeps the sizes, the merges and the words of its model"});
}

TEST_F(GoingOn, RefusesTheFolderOfTheModelUnderAnyName) {
  for (const std::string out : {"model", "model/", "model/../model"})
    expect_refused(arguments(out, {"--overwrite"}), {"would replace ", "model.safetensors, which is read"},
                   1);
}

TEST_F(GoingOn, RefusesAFolderWithoutAModelAndKeepsTheOldOne) {
  go_on("next");
  std::filesystem::create_directory(folder_.path_of("empty"));
  expect_refused(arguments("next", {"--overwrite"}, "empty"),
                 {folder_.path_of("empty/model.safetensors: no such file")}, 1);
  expect_refused(arguments("next", {"--overwrite"}, "nowhere"), {folder_.path_of("nowhere: no such folder")},
                 1);
  std::filesystem::copy(folder_.path_of("model"), folder_.path_of("mixed"));
  folder_.write("mixed/bpe.codes", "#version: 0.2\nd e\n");
  expect_refused(arguments("next", {"--overwrite"}, "mixed"),
                 {folder_.path_of("mixed/bpe.codes: is not the file that the model was trained with")}, 1);
}

TEST_F(GoingOn, TakesAParserOnlyWithTreesAndATranslatorOnlyWithText) {
  const std::string trees = folder_.write(
      "trees",
      "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (DT the) (NN dog)) (VP (VBZ sleeps)))\n");
  const std::vector<std::string> on_trees = {"train",        "--preset", "nano",    "--treebank", trees,
                                             "--max-tokens", "60",       "--steps", "2"};
  ASSERT_EQ(run_program(joined(on_trees, {"--out", folder_.path_of("parser")})).exit_code, 0);
  expect_refused(arguments("next", {}, "parser"), {"is a parser, and does not translate"}, 1);
  expect_refused(joined(on_trees, {"--from", folder_.path_of("model"), "--out", folder_.path_of("next")}),
                 {"is a translator, not a parser"}, 1);
  EXPECT_EQ(
      run_program(joined(on_trees, {"--from", folder_.path_of("parser"), "--out", folder_.path_of("next")}))
          .exit_code,
      0);
}

}  // namespace
}  // namespace plainformer
