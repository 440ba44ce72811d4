// 5 Training, 6.1 and Table 3: the numbers of the presets.
#include "training/presets.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

struct Numbers {
  const char* preset;
  std::vector<Index> sizes;            // layers, d_model, d_ff, heads, max_length
  std::vector<Index> schedule;         // steps, warmup, validate_every, checkpoint_every, keep, valid_bleu
  std::vector<Index> text;             // merges, batch_tokens, max_tokens, toy_pairs, toy_held_out
  std::vector<double> regularization;  // learning_rate.scale, dropout
};

// The paper's are base (Table 3; 5.1: 37,000 tokens, batches of 25,000; 5.2: 100,000 steps; 5.3: 4,000 steps
// of warmup; 6.1: the last 5 checkpoints) and big (5.2: 300,000 steps; 6.1: the last 20 checkpoints).
const Numbers kPresets[] = {
    {"page", {1, 6, 12, 2, 16}, {3000, 300, 0, 1000, 1, 0}, {100, 256, 10, 0, 500}, {0.15, 0}},
    {"nano", {1, 8, 16, 2, 32}, {200, 50, 0, 100, 5, 0}, {500, 24, 10, 100, 10}, {0.3, 0.1}},
    {"toy", {2, 128, 256, 4, 1024}, {1000, 300, 200, 50, 5, 0}, {2000, 1024, 256, 40000, 500}, {0.6, 0}},
    {"parser", {2, 128, 256, 4, 1024}, {3000, 300, 250, 250, 5, 0}, {2000, 4096, 256, 0, 500}, {0.6, 0.1}},
    {"tiny",
     {4, 128, 256, 4, 1024},
     {10000, 2000, 500, 250, 10, 2000},
     {10000, 4096, 256, 0, 500},
     {2.5, 0.3}},
    {"small", {3, 256, 1024, 8, 1024}, {30000, 4000, 1000, 1000, 5, 0}, {8000, 4096, 256, 0, 500}, {1, 0.1}},
    {"base",
     {6, 512, 2048, 8, 1024},
     {100000, 4000, 1000, 1000, 5, 0},
     {37000, 25000, 256, 0, 500},
     {1, 0.1}},
    {"big",
     {6, 1024, 4096, 16, 1024},
     {300000, 4000, 1000, 1000, 20, 0},
     {37000, 25000, 256, 0, 500},
     {1, 0.3}},
};

TEST(Presets, AreThePapersAndSixSmallerOnes) {
  for (const Numbers& numbers : kPresets) {
    SCOPED_TRACE(numbers.preset);
    const Recipe recipe = *preset_recipe(numbers.preset);
    const ModelConfig& model = recipe.model;
    EXPECT_EQ(
        (std::vector<Index>{model.encoder_layers, model.d_model, model.d_ff, model.heads, model.max_length}),
        numbers.sizes);
    EXPECT_EQ(model.decoder_layers, model.encoder_layers);
    EXPECT_EQ(model.d_k, 0) << "heads share d_model";
    EXPECT_EQ(model.d_v, 0);
    EXPECT_EQ(model.positions, Positions::kSinusoidal);
    EXPECT_EQ(model.layer_norm_epsilon, static_cast<Real>(1e-6));

    const TrainingOptions& training = recipe.training;
    EXPECT_EQ(
        (std::vector<Index>{training.steps, training.learning_rate.warmup_steps, training.validate_every,
                            training.checkpoint_every, recipe.keep, recipe.valid_bleu}),
        numbers.schedule);
    EXPECT_EQ((std::vector<double>{training.learning_rate.scale, training.dropout}), numbers.regularization);
    EXPECT_EQ(training.label_smoothing, 0.1);
    EXPECT_EQ(training.accumulate, 1);
    EXPECT_EQ(training.clip_norm, 0);
    EXPECT_EQ(training.adam.beta_1, 0.9);
    EXPECT_EQ(training.adam.beta_2, 0.98);
    EXPECT_EQ(training.adam.epsilon, 1e-9);

    EXPECT_EQ((std::vector<Index>{recipe.merges, recipe.batch_tokens, recipe.max_tokens, recipe.toy_pairs,
                                  recipe.toy_held_out}),
              numbers.text);
  }
  EXPECT_FALSE(preset_recipe("micro"));
  EXPECT_FALSE(preset_recipe(""));
}

}  // namespace
}  // namespace plainformer
