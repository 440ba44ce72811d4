#include "training/presets.h"

#include <map>

namespace plainformer {

namespace {

void set_sizes(Recipe& recipe, Index layers, Index d_model, Index d_ff, Index heads) {
  recipe.model.encoder_layers = recipe.model.decoder_layers = layers;
  recipe.model.d_model = d_model;
  recipe.model.d_ff = d_ff;
  recipe.model.heads = heads;
}

// The model to check by hand: each row of each tensor fits on a line. docs/page-model holds its text and its
// weights.
Recipe page_preset() {
  Recipe recipe;
  set_sizes(recipe, 1, 4, 8, 2);
  recipe.model.max_length = 16;
  recipe.merges = 100;
  recipe.max_tokens = 10;
  recipe.batch_tokens = 128;
  recipe.keep = 1;
  recipe.training.steps = 3000;
  recipe.training.dropout = 0;
  recipe.training.learning_rate.warmup_steps = 300;
  recipe.training.learning_rate.scale = 0.15;
  recipe.training.validate_every = 0;
  return recipe;
}

// The preset to step through: every tensor except the embedding fits on a screen.
Recipe nano_preset() {
  Recipe recipe;
  set_sizes(recipe, 1, 8, 16, 2);
  recipe.model.max_length = 32;
  recipe.toy_pairs = 100;
  recipe.toy_held_out = 10;
  recipe.merges = 500;
  recipe.max_tokens = 10;
  recipe.batch_tokens = 24;
  recipe.training.steps = 200;
  recipe.training.learning_rate.warmup_steps = 50;
  recipe.training.learning_rate.scale = 0.3;
  recipe.training.validate_every = 0;
  recipe.training.checkpoint_every = 100;
  return recipe;
}

Recipe toy_preset() {
  Recipe recipe;
  set_sizes(recipe, 2, 128, 256, 4);
  recipe.toy_pairs = 40000;
  recipe.merges = 2000;
  recipe.batch_tokens = 2048;
  recipe.training.steps = 1500;
  recipe.training.learning_rate.warmup_steps = 300;
  recipe.training.learning_rate.scale = 0.6;
  recipe.training.validate_every = 250;
  recipe.training.checkpoint_every = 250;
  return recipe;
}

// For the built-in treebank (plainformer treebank), whose sentences have linear forms of up to some 140
// tokens.
Recipe parser_preset() {
  Recipe recipe;
  set_sizes(recipe, 2, 128, 256, 4);
  recipe.merges = 2000;
  recipe.training.steps = 3000;
  recipe.training.learning_rate.warmup_steps = 300;
  recipe.training.learning_rate.scale = 0.6;
  recipe.training.validate_every = 250;
  recipe.training.checkpoint_every = 250;
  return recipe;
}

// The recipe for Multi30k. docs/lab/multi30k.md describes how it was chosen.
Recipe tiny_preset() {
  Recipe recipe;
  set_sizes(recipe, 4, 128, 256, 4);
  recipe.merges = 10000;
  recipe.training.steps = 10000;
  recipe.training.dropout = 0.3;
  recipe.training.learning_rate.warmup_steps = 2000;
  recipe.training.learning_rate.scale = 2.5;  // a peak of 0.005
  recipe.training.validate_every = 500;
  recipe.training.checkpoint_every = 250;
  recipe.valid_bleu = 2000;
  recipe.keep = 10;
  return recipe;
}

Recipe small_preset() {
  Recipe recipe;
  set_sizes(recipe, 3, 256, 1024, 8);
  recipe.training.steps = 30000;
  return recipe;
}

// Table 3, "base": 100,000 steps of 25,000 source and 25,000 target tokens.
Recipe base_preset() {
  Recipe recipe;
  set_sizes(recipe, 6, 512, 2048, 8);
  recipe.merges = 37000;
  recipe.batch_tokens = 25000;
  return recipe;
}

// Table 3, "big".
Recipe big_preset() {
  Recipe recipe = base_preset();
  set_sizes(recipe, 6, 1024, 4096, 16);
  recipe.training.dropout = 0.3;
  recipe.training.steps = 300000;
  recipe.keep = 20;
  return recipe;
}

const std::map<std::string, Recipe (*)()> kPresets = {
    {"page", page_preset}, {"nano", nano_preset},   {"toy", toy_preset},   {"parser", parser_preset},
    {"tiny", tiny_preset}, {"small", small_preset}, {"base", base_preset}, {"big", big_preset}};

}  // namespace

std::optional<Recipe> preset_recipe(const std::string& name) {
  const auto preset = kPresets.find(name);
  if (preset == kPresets.end()) return std::nullopt;
  return preset->second();
}

}  // namespace plainformer
