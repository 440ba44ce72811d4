#include "lab/table_3/variation.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

std::vector<std::string> names(const std::vector<Variation>& variations) {
  std::vector<std::string> names;
  for (const Variation& variation : variations) names.push_back(variation.folder());
  return names;
}

const Variation& find(const std::vector<Variation>& variations, const std::string& folder) {
  for (const Variation& variation : variations) {
    if (variation.folder() == folder) return variation;
  }
  throw std::out_of_range(folder);
}

// With the paper's base, the rows are the paper's own.
TEST(Table3, OfThePapersBaseIsThePapersTable) {
  const auto variations = variations_of(preset_settings("base"), {"A", "B", "C", "D", "E", "big"});
  EXPECT_EQ(names(variations), (std::vector<std::string>{"base",
                                                         "A-h-1",
                                                         "A-h-4",
                                                         "A-h-16",
                                                         "A-h-32",
                                                         "B-d_k-16",
                                                         "B-d_k-32",
                                                         "C-N-2",
                                                         "C-N-4",
                                                         "C-N-8",
                                                         "C-d_model-256",
                                                         "C-d_model-1024",
                                                         "C-d_ff-1024",
                                                         "C-d_ff-4096",
                                                         "D-P_drop-0.0",
                                                         "D-P_drop-0.2",
                                                         "D-eps_ls-0.0",
                                                         "D-eps_ls-0.2",
                                                         "E-learned-positions",
                                                         "big-twice-as-wide"}));
  const TrainSettings big = preset_settings("big"), ours = variations.back().settings;
  EXPECT_EQ(ours.model, big.model);
  EXPECT_EQ(ours.training.dropout, big.training.dropout);
  EXPECT_EQ(ours.training.steps, big.training.steps);
}

TEST(Table3, ASmallModelIsVariedInTheSameProportions) {
  const auto variations = variations_of(preset_settings("toy"), {"A", "B", "C"});
  EXPECT_EQ(
      names(variations),
      (std::vector<std::string>{"base", "A-h-1", "A-h-2", "A-h-8", "A-h-16", "B-d_k-8", "B-d_k-16", "C-N-1",
                                "C-N-3", "C-d_model-64", "C-d_model-256", "C-d_ff-128", "C-d_ff-512"}));
  EXPECT_EQ(find(variations, "A-h-16").settings.model.head_d_k(), 8);
  EXPECT_EQ(find(variations, "B-d_k-8").settings.model.head_d_k(), 8);
  EXPECT_EQ(find(variations, "B-d_k-8").settings.model.head_d_v(), 32);
  EXPECT_EQ(find(variations, "C-d_model-64").settings.model.head_d_k(), 16);
  EXPECT_EQ(find(variations, "C-d_model-64").settings.training.learning_rate.d_model, 64);
  EXPECT_EQ(find(variations, "C-N-3").settings.model.encoder_layers, 3);
  EXPECT_EQ(find(variations, "C-N-3").settings.model.decoder_layers, 3);
}

TEST(Table3, StacksOfTwoDepthsKeepTheirProportions) {
  TrainSettings base = preset_settings("toy");
  base.model.encoder_layers = 6;
  base.model.decoder_layers = 3;
  const auto variations = variations_of(base, {"C"});
  EXPECT_EQ(find(variations, "C-N-2+1").settings.model.encoder_layers, 2);
  EXPECT_EQ(find(variations, "C-N-2+1").settings.model.decoder_layers, 1);
  EXPECT_EQ(find(variations, "C-N-8+4").settings.model.decoder_layers, 4);
}

TEST(Table3, OneThingVariesAtATime) {
  const auto variations = variations_of(preset_settings("toy"), {"D", "E"});
  TrainSettings base = preset_settings("toy");
  copy_shared_values(base);
  for (const Variation& variation : variations) {
    TrainSettings undone = variation.settings;
    undone.training.dropout = base.training.dropout;
    undone.training.label_smoothing = base.training.label_smoothing;
    undone.positions = base.positions;
    EXPECT_EQ(to_arguments(undone), to_arguments(base)) << variation.folder();
  }
  EXPECT_EQ(find(variations, "D-P_drop-0.2").settings.training.dropout, 0.2);
  EXPECT_EQ(find(variations, "D-eps_ls-0.0").settings.training.label_smoothing, 0);
  EXPECT_TRUE(find(variations, "E-learned-positions").settings.model.learns_positions());
}

TEST(Table3, LeavesOutWhatTheModelHasNoRoomFor) {
  TrainSettings base = preset_settings("nano");  // one layer, d_model 8, 2 heads
  base.training.dropout = 0.2;
  base.training.label_smoothing = 0;
  EXPECT_EQ(names(variations_of(base, {"A", "C", "D"})),
            (std::vector<std::string>{"base", "A-h-1", "A-h-4", "A-h-8", "C-d_model-4", "C-d_model-16",
                                      "C-d_ff-8", "C-d_ff-32", "D-P_drop-0.0", "D-eps_ls-0.2"}));
}

TEST(Table3, LeavesOutRDropWithoutDropout) {
  TrainSettings base = preset_settings("toy");
  EXPECT_EQ(names(variations_of(base, {"D"})).size(), 5u);
  base.r_drop = 5;
  EXPECT_EQ(names(variations_of(base, {"D"})),
            (std::vector<std::string>{"base", "D-P_drop-0.2", "D-eps_ls-0.0", "D-eps_ls-0.2"}));
}

// Three heads do not divide d_model = 8, and need not.
TEST(Table3, VariesABaseWhoseHeadsHaveAWidthOfTheirOwn) {
  TrainSettings base = preset_settings("nano");  // d_model 8
  base.model.heads = 3;
  base.model.d_k = base.model.d_v = 4;
  EXPECT_EQ(names(variations_of(base, {"B", "E"})),
            (std::vector<std::string>{"base", "B-d_k-1", "B-d_k-2", "E-learned-positions"}));
}

TEST(VariationsBesideThePaper, LeaveOutWhatTheBaseIsAlready) {
  TrainSettings base = preset_settings("nano");
  base.precision = "bf16";
  base.positions = "learned";
  base.r_drop = 5;
  EXPECT_EQ(names(variations_of(base, {"E", "bf16"})), std::vector<std::string>{"base"});
  EXPECT_EQ(variations_of(base, {"beyond"}).size(), 1u + 5u);
}

// Each changes one option of train, to the value that its name tells.
TEST(VariationsBesideThePaper, ChangeOneOptionEach) {
  const TrainSettings base = preset_settings("tiny");
  const auto variations = variations_of(base, {"attention", "beyond", "bf16"});
  EXPECT_EQ(names(variations),
            (std::vector<std::string>{"base", "attention-dropout-0.1", "attention-head-dropout-0.1",
                                      "attention-penalty-0.01", "beyond-R-Drop-5", "beyond-BPE-dropout-0.1",
                                      "beyond-word-dropout-0.1", "beyond-layer-drop-0.1", "beyond-eps_ls-0.3",
                                      "beyond-eps_ls-0.5", "bf16"}));
  const auto settings = [&](const std::string& folder) { return find(variations, folder).settings; };
  EXPECT_EQ(settings("attention-dropout-0.1").training.attention_dropout, 0.1);
  EXPECT_EQ(settings("attention-head-dropout-0.1").head_dropout, 0.1);
  EXPECT_EQ(settings("attention-penalty-0.01").attention_penalty, 0.01);
  EXPECT_EQ(settings("beyond-R-Drop-5").r_drop, 5);
  EXPECT_EQ(settings("beyond-BPE-dropout-0.1").bpe_dropout, 0.1);
  EXPECT_EQ(settings("beyond-word-dropout-0.1").word_dropout, 0.1);
  EXPECT_EQ(settings("beyond-layer-drop-0.1").layer_drop, 0.1);
  EXPECT_EQ(settings("beyond-eps_ls-0.5").training.label_smoothing, 0.5);
  EXPECT_EQ(settings("bf16").precision, "bf16");
  for (const Variation& variation : variations) {
    EXPECT_FALSE(variation.paper && variation.row != "base") << variation.folder();
    std::size_t changed = 0;
    const Arguments before = to_arguments(base), after = to_arguments(variation.settings);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) changed += after[i] != before[i];
    EXPECT_EQ(changed, variation.row == "base" ? 0u : 1u) << variation.folder();
  }
}

}  // namespace
}  // namespace plainformer
