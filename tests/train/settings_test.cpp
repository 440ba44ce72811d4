// The presets of `plainformer train`, and the recipe that a text gets by its length.
#include "train/recipes.h"

#include <gtest/gtest.h>

#include "core/strings.h"
#include "support/program.h"
#include "support/small_model_folder.h"
#include "train/settings.h"
#include "transformer/transformer.h"

namespace plainformer {
namespace {

// An 80 x 24 terminal shows some 130 numbers at a time.
TEST(TrainSettings, EveryWeightOfNanoButTheEmbeddingFitsOnAScreen) {
  ModelConfig config = preset_settings("nano").model;
  config.vocab = 300;
  Transformer model(config, /*seed=*/1);
  for (const NamedParameter& p : model.parameters()) {
    if (p.name == "embedding") continue;
    EXPECT_LE(p.parameter->value.size(), 130) << p.name;
  }
}

TEST(TrainSettings, NanoTrainsOnTheBuiltInGrammarThePlainWay) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_program({"train", "--preset", "nano", "--plain", "--out", folder.path_of("model")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "model: 1+1 layers, d_model 8, d_ff 16, 2 heads")) << result.err;
  EXPECT_TRUE(contains(result.out, "Held-out exact match: ")) << result.out;
}

TEST(TrainSettings, HelpShowsTheDefaultsOfThePresetThatIsNamed) {
  const auto has_line = [](const std::string& help, const std::string& option, const std::string& value) {
    const std::size_t at = help.find("  " + option + " ");
    return at != std::string::npos && contains(help.substr(at, help.find("\n  --", at) - at), value);
  };
  for (const Arguments& arguments :
       {Arguments{"train", "--preset", "base", "--help"}, Arguments{"train", "--help", "--preset=base"}}) {
    const std::string help = run_program(arguments).out;
    EXPECT_TRUE(has_line(help, "--d-model", "512")) << help;
    EXPECT_TRUE(has_line(help, "--merges", "37000")) << help;
  }
  EXPECT_TRUE(has_line(run_program({"train", "--help"}).out, "--d-model", "128"));
}

TEST(TrainSettings, ThatDoNotFitAreRefusedBeforeAnyFileIsRead) {
  const std::vector<std::pair<std::string, std::string>> wrong_usage = {
      {"--preset micro",
       "unknown preset \"micro\"; there are page, nano, toy, parser, tiny, small, base and big"},
      {"--source a --source a --target b",
       "--source is given 2 times and --target 1 times: each source needs its target"},
      {"--pairs a --valid-source b", "--valid-source and --valid-target belong together"},
      {"--valid-pairs a", "validation text needs a training text"},
      {"--source - --target b", "one side alone cannot be standard input: --pairs - reads both"},
      {"--pairs - --valid-pairs -", "standard input can be one text only, not 2"},
      {"--pairs a --treebank a", "--treebank takes the place of --source, --target and --pairs"},
      {"--words marks --treebank a", "leave out --words marks"},
      {"--pairs a --positions rotary", "--positions takes sinusoidal or learned, not \"rotary\""},
      {"--pairs a --words syllables", "--words takes auto, spaces or marks, not \"syllables\""},
      {"--pairs a --columns 1", "--columns takes two different numbers from 1, such as 1,2; not \"1\""},
      {"--pairs a --columns 0,1", "--columns takes two different numbers"},
      {"--pairs a --columns 2,2", "--columns takes two different numbers"},
      {"--pairs a --columns 1,2,3", "--columns takes two different numbers"},
      {"--pairs a --hold-out -1", "--hold-out takes a number of pairs, or auto, not \"-1\""},
      {"--pairs a --hold-out all", "--hold-out takes a number of pairs, or auto, not \"all\""},
      {"--pairs a --valid-pairs a --hold-out 5", "--hold-out takes pairs out of a text of your own"},
      {"--preset toy --hold-out 5", "--hold-out takes pairs out of a text of your own"},
      {"--pairs a --hold-out 0 --patience 2", "--patience counts validations"},
      {"--pairs a --validate-every 0 --patience 2", "--patience counts validations"},
      {"--pairs a --best-by bleu --valid-bleu 0", "--best-by bleu compares translations"},
      {"--pairs a --best-by chrf", "--best-by takes loss or bleu, not \"chrf\""},
      {"--pairs a --frames 2 --frame-source a", "--frame-source and --frame-target belong together"},
      {"--pairs a --frame-source a --frame-target b", "--frame-source needs --frames N"},
      {"--pairs a --r-drop 5 --dropout 0", "--r-drop compares two passes that differ by their dropout"},
      {"--pairs a --from model --resume", "--from begins a run and --resume goes on with one"},
  };
  const std::vector<std::pair<std::string, std::string>> out_of_range = {
      {"--pairs a --frames -1", "--frames: "},
      {"--pairs a --r-drop -1",
       "--r-drop: -1 is out of range (hint: 0 means none, 5 is usual; at most a million"},
      {"--pairs a --r-drop 1000001", "--r-drop: 1000001 is out of range"},
  };
  const auto run = [](const std::string& options) {
    return run_program(joined({"train", "--out", "nowhere"}, split_at(' ', options)));
  };
  for (const auto& [options, message] : wrong_usage)
    EXPECT_TRUE(refused(run(options), {message}, 2)) << options;
  for (const auto& [options, message] : out_of_range)
    EXPECT_TRUE(refused(run(options), {message})) << options;
  EXPECT_FALSE(std::filesystem::exists("nowhere"));
}

// ---- recipes

TEST(RecipeForText, IsThatOfMulti30kForATextOfItsLength) {
  for (const Index pairs : {10'000, 28'000, 29'000, 99'999})
    EXPECT_EQ(describe_recipe(recipe_for_text(pairs).settings),
              "--preset tiny --steps 7500 --dropout 0.2 --r-drop 5 --best-by bleu");
  EXPECT_EQ(describe_recipe(recipe_for_text(100'000).settings), "--preset small --patience 10");
  EXPECT_EQ(describe_recipe(recipe_for_text(9'999).settings),
            "--preset toy --steps 6000 --warmup 400 --learning-rate-scale 1 --dropout 0.3 --fresh-copies yes "
            "--validate-every 250 --valid-bleu 300 --best-by bleu --patience 10 --checkpoint-every 250");
  EXPECT_EQ(recipe_for_text(999).settings.training.dropout, 0.4);
  EXPECT_EQ(recipe_for_text(999, /*copies_numbers=*/true).settings.training.dropout, 0.2);
}

class RecipeOfARun : public TrainingOnText {
 protected:
  ProgramResult train(const std::vector<std::string>& more) const {
    const ProgramResult result = run_program(
        joined({"train", "--source", folder_.path_of("train.en"), "--target", folder_.path_of("train.de"),
                "--out", folder_.path_of("model"), "--d-model", "16", "--overwrite"},
               more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }
  std::string record() const { return folder_.read("model/run.json"); }
};

TEST_F(RecipeOfARun, IsPrintedWithItsReasonAndRecorded) {
  const ProgramResult result = train({"--minutes", "0.001", "--merges=60"});
  EXPECT_TRUE(result.err.starts_with("recipe: --preset toy --merges 1000 --batch-tokens 512 ")) << result.err;
  EXPECT_TRUE(contains(result.err, " --fresh-copies yes --validate-every 50 ")) << result.err;
  EXPECT_TRUE(contains(result.err, " (80 pairs: very little text, so the model is small, ")) << result.err;
  for (const char* option : {"\"--preset\", \"toy\"", "\"--merges\", \"60\"", "\"--d-model\", \"16\"",
                             "\"--dropout\", \"0.4\"", "\"--patience\", \"20\"", "\"--best-by\", \"bleu\""})
    EXPECT_TRUE(contains(record(), option)) << option << record();
}

TEST_F(RecipeOfARun, HasLessDropoutWhereHalfOfThePairsCopyNumbers) {
  const auto dropout_of = [&](int copying) {
    std::string source, target;
    for (int i = 0; i < 80; ++i) {
      const std::string number = std::to_string(1000 + i);
      source += "part " + number + "\n";
      target += "Teil " + (i < copying ? number : "nummer") + "\n";
    }
    folder_.write("train.en", source);
    folder_.write("train.de", target);
    train({"--steps", "1", "--merges", "50"});
    return contains(record(), "\"--dropout\", \"0.2\"") ? 0.2 : 0.4;
  };
  EXPECT_EQ(dropout_of(39), 0.4);
  EXPECT_EQ(dropout_of(40), 0.2);
}

// The steps that are given are made; without validations there is no patience, and without translations no
// BLEU.
TEST_F(RecipeOfARun, ComparesWhatIsMeasured) {
  struct Case {
    std::vector<std::string> options;
    bool has_patience, compares_bleu;
  };
  const Case cases[] = {{{"--steps=2"}, false, true},
                        {{"--minutes", "0.001", "--hold-out", "0"}, false, false},
                        {{"--minutes", "0.001", "--validate-every", "0"}, false, true},
                        {{"--minutes", "0.001", "--valid-bleu=0"}, true, false}};
  for (const auto& [options, has_patience, compares_bleu] : cases) {
    const ProgramResult result = train(options);
    EXPECT_EQ(contains(result.err, " --patience 20 "), has_patience) << result.err;
    EXPECT_EQ(contains(result.err, "--patience"), has_patience) << result.err;
    EXPECT_TRUE(contains(record(), has_patience ? "\"--patience\", \"20\"" : "\"--patience\", \"0\""))
        << record();
    EXPECT_EQ(contains(result.err, "--best-by bleu"), compares_bleu) << result.err;
    EXPECT_TRUE(contains(record(), compares_bleu ? "\"--best-by\", \"bleu\"" : "\"--best-by\", \"loss\""))
        << record();
  }
}

TEST_F(RecipeOfARun, IsTakenBackWhereAnOptionOfTheResumedRunMakesItImpossible) {
  for (const std::string option : {"--validate-every", "--valid-bleu", "--frames"}) {
    train({"--minutes", "0.001", "--frames", "9", "--frame-source", "a", "--frame-target", "b"});
    const ProgramResult result = resume("model", {option, "0"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(contains(record(), "\"--best-by\", \"bleu\""), option != "--valid-bleu") << option;
  }
}

TEST_F(RecipeOfARun, IsThatOfThePresetIfOneIsGiven) {
  for (const std::vector<std::string>& preset :
       {std::vector<std::string>{"--preset", "tiny"}, {"--preset=tiny"}}) {
    EXPECT_FALSE(contains(train(joined({"--steps", "1", "--merges", "50"}, preset)).err, "recipe"));
    EXPECT_TRUE(contains(record(), "\"--batch-tokens\", \"4096\"")) << record();
  }
}

}  // namespace
}  // namespace plainformer
