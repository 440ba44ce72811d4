// The presets of `plainformer train`.
#include "runs/train_settings.h"

#include <gtest/gtest.h>

#include "app/program.h"
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

TEST(TrainSettings, APresetThatDoesNotExistIsRefusedWithTheList) {
  const ProgramResult result = run_program({"train", "--preset", "micro", "--out", "nowhere"});
  EXPECT_TRUE(failed_with_one_line(
      result, "train", {"unknown preset \"micro\"; there are nano, toy, parser, tiny, small, base and big"},
      2));
}

}  // namespace
}  // namespace plainformer
