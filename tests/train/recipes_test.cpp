// The recipe that a text of one's own gets by its length.
#include "train/recipes.h"

#include <gtest/gtest.h>

#include "support/small_model_folder.h"

namespace plainformer {
namespace {

TEST(RecipeForText, IsThatOfMulti30kForATextOfItsLength) {
  for (const Index pairs : {10'000, 28'000, 29'000, 99'999})
    EXPECT_EQ(describe_recipe(recipe_for_text(pairs).settings), "--preset tiny --best-by bleu");
  EXPECT_EQ(describe_recipe(recipe_for_text(100'000).settings), "--preset small --patience 10");
  EXPECT_EQ(
      describe_recipe(recipe_for_text(9'999).settings),
      "--preset toy --batch-tokens 1024 --steps 6000 --warmup 400 --learning-rate-scale 1 --dropout 0.3 "
      "--valid-bleu 300 --best-by bleu --patience 10");
}

class RecipeOfARun : public testing::Test {
 protected:
  RecipeOfARun() { write_text(folder_); }
  ProgramResult train(const std::vector<std::string>& more) const {
    const ProgramResult result = run_program(
        joined({"train", "--source", folder_.path_of("train.en"), "--target", folder_.path_of("train.de"),
                "--out", folder_.path_of("model"), "--d-model", "16", "--overwrite"},
               more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }
  std::string record() const { return folder_.read("model/run.json"); }
  const TemporaryFolder folder_;
};

TEST_F(RecipeOfARun, IsPrintedWithItsReasonAndRecorded) {
  const ProgramResult result = train({"--minutes", "0.001", "--merges=60"});
  EXPECT_TRUE(result.err.starts_with("recipe: --preset toy --merges 1000 --batch-tokens 512 ")) << result.err;
  EXPECT_TRUE(contains(result.err, " (80 pairs: very little text, so the model is small, ")) << result.err;
  for (const char* option : {"\"--preset\", \"toy\"", "\"--merges\", \"60\"", "\"--d-model\", \"16\"",
                             "\"--dropout\", \"0.4\"", "\"--patience\", \"10\"", "\"--best-by\", \"bleu\""})
    EXPECT_TRUE(contains(record(), option)) << option << record();
}

// The steps that are given are made; without validations there is no patience, and without translations no
// BLEU.
TEST_F(RecipeOfARun, ComparesWhatIsMeasured) {
  const std::pair<std::vector<std::string>, bool> cases[] = {
      {{"--steps=2"}, false},
      {{"--minutes", "0.001", "--hold-out", "0"}, false},
      {{"--minutes", "0.001", "--validate-every", "0"}, false},
      {{"--minutes", "0.001", "--valid-bleu=0"}, true}};
  for (const auto& [options, has_patience] : cases) {
    const ProgramResult result = train(options);
    EXPECT_EQ(contains(result.err, " --patience 10 "), has_patience) << result.err;
    EXPECT_EQ(contains(result.err, "--patience"), has_patience) << result.err;
    EXPECT_TRUE(contains(record(), has_patience ? "\"--patience\", \"10\"" : "\"--patience\", \"0\""))
        << record();
    EXPECT_FALSE(contains(result.err, "--best-by")) << result.err;
    EXPECT_TRUE(contains(record(), "\"--best-by\", \"loss\"")) << record();
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
