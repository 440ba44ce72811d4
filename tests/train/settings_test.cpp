// The presets of `plainformer train`.
#include "train/settings.h"

#include <gtest/gtest.h>

#include "support/program.h"
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
  EXPECT_TRUE(has_line(run_program({"train", "--help", "--preset", "micro"}).out, "--d-model", "128"));
}

TEST(TrainSettings, OutOfRangeAreNamedWithAHint) {
  const struct {
    const char *option, *value, *hint;
  } bad_options[] = {
      {"--r-drop", "-1", "0 means none, 5 is usual; at most a million"},
      {"--r-drop", "1000001", "0 means none, 5 is usual; at most a million"},
  };
  for (const auto& [option, value, hint] : bad_options) {
    const ProgramResult result =
        run_program({"train", "--preset", "nano", "--out", "nowhere", option, value});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.err, std::string(option) + ": ")) << result.err;
    EXPECT_TRUE(contains(result.err, std::string(" is out of range (hint: ") + hint)) << result.err;
  }
}

TEST(TrainSettings, APresetThatDoesNotExistIsRefusedWithTheList) {
  const ProgramResult result = run_program({"train", "--preset", "micro", "--out", "nowhere"});
  EXPECT_TRUE(failed_with_one_line(
      result, "train",
      {"unknown preset \"micro\"; there are page, nano, toy, parser, tiny, small, base and big"}, 2));
}

}  // namespace
}  // namespace plainformer
