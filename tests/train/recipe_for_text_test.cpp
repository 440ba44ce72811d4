// The recipe that a text of one's own gets by its length.
#include "train/recipe_for_text.h"

#include <gtest/gtest.h>

#include "support/small_model_folder.h"
#include "train/train_settings.h"
#include "train/trial_steps.h"

namespace plainformer {
namespace {

TrainSettings settings_for(Index pairs) {
  return parse_train_settings(recipe_for_text(pairs).options);
}

TEST(RecipeForText, IsThatOfMulti30kForATextOfItsLength) {
  TrainSettings by_bleu = preset_settings("tiny");
  by_bleu.best_by = "bleu";
  const Arguments tiny = to_arguments(by_bleu);
  for (const Index pairs : {10'000, 28'000, 29'000, 99'999})
    EXPECT_EQ(to_arguments(settings_for(pairs)), tiny);
  EXPECT_NE(to_arguments(settings_for(9'999)), tiny);
  EXPECT_NE(to_arguments(settings_for(100'000)), tiny);
}

TEST(RecipeForText, GrowsWithTheText) {
  Index merges = 0, steps = 0, batch = 0;
  for (const Index pairs : {30, 3'000, 30'000, 300'000}) {
    TrainSettings settings = settings_for(pairs);
    settings.out = "out";
    settings.text.pairs = {"pairs.tsv"};
    settings.check();
    EXPECT_GE(settings.training.steps, steps);
    EXPECT_GE(settings.batch_tokens, batch);
    EXPECT_GT(settings.merges, pairs > 30'000 ? 0 : merges);
    merges = settings.merges;
    steps = settings.training.steps;
    batch = settings.batch_tokens;
  }
}

// The steps that fit are those of the recipe's preset and merges.
TEST(RecipeThatFits, IsThatForFewerPairsIfTooFewStepsFit) {
  const auto recipe = [](Index pairs, Index small, Index tiny) {
    return recipe_that_fits(pairs,
                            [&](const TextRecipe& r) { return r.options[1] == "small" ? small : tiny; });
  };
  EXPECT_EQ(recipe(300'000, 3'000, 0).options, recipe_for_text(300'000).options);
  EXPECT_EQ(recipe(300'000, 2'999, 1'000).options, recipe_for_text(30'000).options);
  EXPECT_EQ(recipe(300'000, 2'999, 999).options, recipe_for_text(9'999).options);
  EXPECT_EQ(recipe(30'000, 0, 1'000).options, recipe_for_text(30'000).options);
  EXPECT_EQ(recipe(30'000, 0, 999).options, recipe_for_text(9'999).options);
  EXPECT_EQ(recipe(3'000, 0, 0).options, recipe_for_text(3'000).options);
  EXPECT_EQ(recipe(30, 0, 0).options, recipe_for_text(30).options);
  EXPECT_EQ(recipe(30'000, 0, 999).reason,
            "the recipe for fewer pairs, because of a larger model too few steps fit in --minutes");
}

// tiny: 10000 steps, a warm-up of 2000 with a peak of 2.5 / sqrt(128 * 2000).
TEST(RecipeThatFits, HasItsWarmUpInTheStepsThatFit) {
  const TrainSettings tiny = preset_settings("tiny");
  EXPECT_EQ(options_for_steps(tiny, 10'000, 5), Arguments());
  EXPECT_EQ(options_for_steps(tiny, 1'500, 5),
            (Arguments{"--warmup", "300", "--learning-rate-scale", "0.968", "--validate-every", "300",
                       "--checkpoint-every", "150"}));
  // A validation is long: there is time for one, at the end.
  EXPECT_EQ(options_for_steps(tiny, 100, 1)[5], "100");
  EXPECT_EQ(options_for_steps(tiny, 9'999, 5),
            (Arguments{"--warmup", "1999", "--learning-rate-scale", "2.499"}));
  EXPECT_EQ(options_for_steps(tiny, 3, 5), (Arguments{"--warmup", "1", "--learning-rate-scale", "0.056",
                                                      "--validate-every", "1", "--checkpoint-every", "1"}));
}

// Each of up to three recipes is tried once, so the trials take a twentieth of the minutes, and three first steps.
TEST(Trial, TakesASixtiethOfTheMinutesAndAtMostFiveSeconds) {
  EXPECT_EQ(most_trial_seconds(0.5), 0.5);
  EXPECT_EQ(most_trial_seconds(5), 5);
  EXPECT_EQ(most_trial_seconds(60), 5);
  EXPECT_EQ(most_trial_seconds(0), 5) << "no limit";
}

class RecipeOfARun : public testing::Test {
 protected:
  RecipeOfARun() { write_text(folder_); }
  ProgramResult train(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"train",
                                          "--source",
                                          folder_.path_of("train.en"),
                                          "--target",
                                          folder_.path_of("train.de"),
                                          "--out",
                                          folder_.path_of("model")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
  std::string record() const { return folder_.read("model/run.json"); }
  const TemporaryFolder folder_;
};

TEST_F(RecipeOfARun, IsPrintedWithItsReasonAndRecorded) {
  const ProgramResult result = train({"--minutes", "0.001", "--d-model", "16", "--merges=60"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.err.starts_with("recipe: --preset toy ")) << result.err;
  EXPECT_TRUE(contains(result.err, " --merges 1000 --batch-tokens 512 ")) << result.err;
  EXPECT_TRUE(contains(result.err, " --patience 10 (80 pairs: very little text, so the model is small, "))
      << result.err;
  for (const char* option : {"\"--preset\", \"toy\"", "\"--merges\", \"60\"", "\"--d-model\", \"16\"",
                             "\"--dropout\", \"0.4\"", "\"--patience\", \"10\"", "\"--best-by\", \"bleu\""})
    EXPECT_TRUE(contains(record(), option)) << option << record();
}

TEST_F(RecipeOfARun, FitsInItsMinutes) {
  const ProgramResult result = train({"--minutes", "0.002", "--d-model", "16", "--merges", "60"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "--minutes 0.002: about ")) << result.err;
  EXPECT_TRUE(contains(result.err,
                       " of 2000 steps fit, for which the recipe has its warm-up and its validations, by a "
                       "trial on this machine\n"))
      << result.err;
  EXPECT_FALSE(contains(record(), "\"--warmup\", \"200\"")) << record();

  ASSERT_EQ(train({"--minutes", "0.002", "--d-model", "16", "--warmup", "77", "--overwrite"}).exit_code, 0);
  EXPECT_TRUE(contains(record(), "\"--warmup\", \"77\"")) << record();
  const ProgramResult all = train({"--minutes", "9", "--steps", "3", "--d-model", "16", "--overwrite"});
  EXPECT_TRUE(contains(all.err, "--minutes 9: all 3 steps fit, by a trial on this machine\n")) << all.err;
  EXPECT_TRUE(contains(record(), "\"--warmup\", \"200\"")) << record();
}

TEST_F(RecipeOfARun, MakesTheStepsThatAreGiven) {
  const ProgramResult result = train({"--steps=2", "--d-model", "16"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(contains(result.err, "--patience")) << result.err;
  EXPECT_FALSE(contains(result.err, "--best-by")) << result.err;
  EXPECT_TRUE(contains(record(), "\"--patience\", \"0\"")) << record();
  EXPECT_TRUE(contains(record(), "\"--best-by\", \"loss\"")) << record();
}

TEST_F(RecipeOfARun, HasNoPatienceWithoutValidations) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--hold-out", "0"}, {"--validate-every", "0"}}) {
    std::vector<std::string> all = {"--minutes", "0.001", "--d-model", "16", "--overwrite"};
    all.insert(all.end(), options.begin(), options.end());
    const ProgramResult result = train(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_FALSE(contains(result.err, "--patience")) << result.err;
    EXPECT_FALSE(contains(result.err, "--best-by")) << result.err;
  }
}

TEST_F(RecipeOfARun, ComparesLossesWhereNothingIsTranslated) {
  const ProgramResult result = train({"--minutes", "0.001", "--d-model", "16", "--valid-bleu=0"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, " --patience 10 (")) << result.err;
  EXPECT_FALSE(contains(result.err, "--best-by")) << result.err;
}

TEST_F(RecipeOfARun, IsThatOfThePresetIfOneIsGiven) {
  for (const std::vector<std::string>& preset :
       {std::vector<std::string>{"--preset", "tiny"}, {"--preset=tiny"}}) {
    std::vector<std::string> all = {"--steps", "1", "--d-model", "16", "--merges", "50", "--overwrite"};
    all.insert(all.end(), preset.begin(), preset.end());
    const ProgramResult result = train(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_FALSE(contains(result.err, "recipe")) << result.err;
    EXPECT_TRUE(contains(record(), "\"--batch-tokens\", \"4096\"")) << record();
  }
}

}  // namespace
}  // namespace plainformer
