// 5 Training, 6.1 and Table 3: the numbers of the presets.
#include "training/presets.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

// layers, d_model, d_ff, heads, max_length
std::vector<Index> sizes(const Recipe& recipe) {
  const ModelConfig& model = recipe.model;
  EXPECT_EQ(model.encoder_layers, model.decoder_layers);
  EXPECT_EQ(model.d_k, 0) << "heads share d_model";
  EXPECT_EQ(model.d_v, 0);
  EXPECT_EQ(model.positions, Positions::kSinusoidal);
  EXPECT_EQ(model.layer_norm_epsilon, static_cast<Real>(1e-6));
  return {model.encoder_layers, model.d_model, model.d_ff, model.heads, model.max_length};
}

// steps, warmup, validate_every, checkpoint_every, keep, valid_bleu
std::vector<Index> schedule(const Recipe& recipe) {
  const TrainingOptions& training = recipe.training;
  EXPECT_EQ(training.accumulate, 1);
  EXPECT_EQ(training.clip_norm, 0);
  return {training.steps,
          training.learning_rate.warmup_steps,
          training.validate_every,
          training.checkpoint_every,
          recipe.keep,
          recipe.valid_bleu};
}

// merges, batch_tokens, max_tokens, toy_pairs, toy_held_out
std::vector<Index> text(const Recipe& recipe) {
  return {recipe.merges, recipe.batch_tokens, recipe.max_tokens, recipe.toy_pairs, recipe.toy_held_out};
}

// learning_rate.scale, dropout, label_smoothing
std::vector<double> regularization(const Recipe& recipe) {
  const TrainingOptions& training = recipe.training;
  EXPECT_EQ(training.adam.beta_1, 0.9);
  EXPECT_EQ(training.adam.beta_2, 0.98);
  EXPECT_EQ(training.adam.epsilon, 1e-9);
  return {training.learning_rate.scale, training.dropout, training.label_smoothing};
}

using Numbers = std::vector<Index>;
using Factors = std::vector<double>;

// Table 3, "base"; 5.1: 37,000 tokens, batches of 25,000; 5.2: 100,000 steps; 5.3: 4,000 steps of
// warmup; 6.1: the last 5 checkpoints.
TEST(Presets, BaseIsThePapers) {
  const Recipe base = *preset_recipe("base");
  EXPECT_EQ(sizes(base), (Numbers{6, 512, 2048, 8, 1024}));
  EXPECT_EQ(schedule(base), (Numbers{100'000, 4000, 1000, 1000, 5, 0}));
  EXPECT_EQ(text(base), (Numbers{37'000, 25'000, 256, 0, 500}));
  EXPECT_EQ(regularization(base), (Factors{1, 0.1, 0.1}));
}

// Table 3, "big"; 5.2: 300,000 steps; 6.1: the last 20 checkpoints.
TEST(Presets, BigIsThePapers) {
  const Recipe big = *preset_recipe("big");
  EXPECT_EQ(sizes(big), (Numbers{6, 1024, 4096, 16, 1024}));
  EXPECT_EQ(schedule(big), (Numbers{300'000, 4000, 1000, 1000, 20, 0}));
  EXPECT_EQ(text(big), (Numbers{37'000, 25'000, 256, 0, 500}));
  EXPECT_EQ(regularization(big), (Factors{1, 0.3, 0.1}));
}

TEST(Presets, TinyIsTheRecipeForMulti30k) {
  const Recipe tiny = *preset_recipe("tiny");
  EXPECT_EQ(sizes(tiny), (Numbers{4, 128, 256, 4, 1024}));
  EXPECT_EQ(schedule(tiny), (Numbers{10'000, 2000, 500, 250, 10, 2000}));
  EXPECT_EQ(text(tiny), (Numbers{10'000, 4096, 256, 0, 500}));
  EXPECT_EQ(regularization(tiny), (Factors{2.5, 0.3, 0.1}));
}

TEST(Presets, SmallHasTheDefaultsOfAMiddleSize) {
  const Recipe small = *preset_recipe("small");
  EXPECT_EQ(sizes(small), (Numbers{3, 256, 1024, 8, 1024}));
  EXPECT_EQ(schedule(small), (Numbers{30'000, 4000, 1000, 1000, 5, 0}));
  EXPECT_EQ(text(small), (Numbers{8000, 4096, 256, 0, 500}));
  EXPECT_EQ(regularization(small), (Factors{1, 0.1, 0.1}));
}

TEST(Presets, ToyLearnsTheBuiltInGrammar) {
  const Recipe toy = *preset_recipe("toy");
  EXPECT_EQ(sizes(toy), (Numbers{2, 128, 256, 4, 1024}));
  EXPECT_EQ(schedule(toy), (Numbers{1500, 300, 250, 250, 5, 0}));
  EXPECT_EQ(text(toy), (Numbers{2000, 2048, 256, 40'000, 500}));
  EXPECT_EQ(regularization(toy), (Factors{0.6, 0.1, 0.1}));
}

TEST(Presets, ParserLearnsTheBuiltInTreebank) {
  const Recipe parser = *preset_recipe("parser");
  EXPECT_EQ(sizes(parser), (Numbers{2, 128, 256, 4, 1024}));
  EXPECT_EQ(schedule(parser), (Numbers{3000, 300, 250, 250, 5, 0}));
  EXPECT_EQ(text(parser), (Numbers{2000, 4096, 256, 0, 500}));
  EXPECT_EQ(regularization(parser), (Factors{0.6, 0.1, 0.1}));
}

TEST(Presets, PageHasTensorsWhoseRowsFitOnALine) {
  const Recipe page = *preset_recipe("page");
  EXPECT_EQ(sizes(page), (Numbers{1, 4, 8, 2, 16}));
  EXPECT_EQ(schedule(page), (Numbers{3000, 300, 0, 1000, 1, 0}));
  EXPECT_EQ(text(page), (Numbers{100, 128, 10, 0, 500}));
  EXPECT_EQ(regularization(page), (Factors{0.15, 0, 0.1}));
}

TEST(Presets, NanoFitsOnAScreen) {
  const Recipe nano = *preset_recipe("nano");
  EXPECT_EQ(sizes(nano), (Numbers{1, 8, 16, 2, 32}));
  EXPECT_EQ(schedule(nano), (Numbers{200, 50, 0, 100, 5, 0}));
  EXPECT_EQ(text(nano), (Numbers{500, 24, 10, 100, 10}));
  EXPECT_EQ(regularization(nano), (Factors{0.3, 0.1, 0.1}));
}

TEST(Presets, AreNoOthers) {
  EXPECT_FALSE(preset_recipe("micro"));
  EXPECT_FALSE(preset_recipe(""));
}

}  // namespace
}  // namespace plainformer
