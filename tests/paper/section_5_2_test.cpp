// Paper: 5.2 Hardware and Schedule. A test for each sentence about the schedule.
#include <gtest/gtest.h>

#include "train/settings.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

// "We trained the base models for a total of 100,000 steps or 12 hours." "The big models were trained for
// 300,000 steps (3.5 days)."
TEST(Section52, TheBaseModelsWereTrainedFor100000StepsAndTheBigOnesFor300000) {
  EXPECT_EQ(preset_settings("base").training.steps, 100'000);
  EXPECT_EQ(preset_settings("big").training.steps, 300'000);
}

// A step is an update of the weights, and the training ends with the last.
TEST(Section52, ATotalOfSoManyStepsIsSoManyUpdates) {
  Transformer model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0.1);
  options.steps = 7;
  Adam adam(model.parameters(), options.adam);
  TrainingProgress progress;
  Index reported = 0;
  TrainingHooks hooks;
  hooks.after_step = [&](const StepReport&) { ++reported; };
  train(model, adam, progress, options,
        {.begin_epoch = [](Index) { return 2; }, .batch = [](Index) { return tiny_batch(); }}, hooks);
  EXPECT_EQ(adam.steps(), 7);
  EXPECT_EQ(reported, 7);
}

}  // namespace
}  // namespace plainformer
