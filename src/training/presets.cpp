#include "training/presets.h"

#include <map>

namespace plainformer {

namespace {

const std::map<std::string, Recipe> kPresets = {
    // The model to check by hand: each row of each tensor fits on a line. docs/page-model holds its text and
    // its weights.
    {"page",
     {.model =
          {.d_model = 6, .d_ff = 12, .heads = 2, .encoder_layers = 1, .decoder_layers = 1, .max_length = 16},
      .training = {.dropout = 0,
                   .learning_rate = {.warmup_steps = 300, .scale = 0.15},
                   .steps = 3000,
                   .validate_every = 0},
      .merges = 100,
      .batch_tokens = 256,
      .max_tokens = 10,
      .keep = 1}},
    // The preset to step through: every tensor except the embedding fits on a screen.
    {"nano",
     {.model =
          {.d_model = 8, .d_ff = 16, .heads = 2, .encoder_layers = 1, .decoder_layers = 1, .max_length = 32},
      .training = {.learning_rate = {.warmup_steps = 50, .scale = 0.3},
                   .steps = 200,
                   .validate_every = 0,
                   .checkpoint_every = 100},
      .merges = 500,
      .batch_tokens = 24,
      .max_tokens = 10,
      .toy_pairs = 100,
      .toy_held_out = 10}},
    // The first model. It reads each pair about twice, and without dropout it is exact sooner.
    {"toy",
     {.model = {.d_model = 128, .d_ff = 256, .heads = 4, .encoder_layers = 2, .decoder_layers = 2},
      .training = {.dropout = 0,
                   .learning_rate = {.warmup_steps = 300, .scale = 0.6},
                   .steps = 1000,
                   .validate_every = 200,
                   .checkpoint_every = 50},
      .merges = 2000,
      .batch_tokens = 1024,
      .toy_pairs = 40000}},
    // For the built-in treebank (plainformer treebank), whose sentences have linear forms of up to some 140
    // tokens.
    {"parser",
     {.model = {.d_model = 128, .d_ff = 256, .heads = 4, .encoder_layers = 2, .decoder_layers = 2},
      .training = {.learning_rate = {.warmup_steps = 300, .scale = 0.6},
                   .steps = 3000,
                   .validate_every = 250,
                   .checkpoint_every = 250},
      .merges = 2000}},
    // The recipe for Multi30k, with a peak rate of 0.005. docs/lab/multi30k.md describes how it was chosen.
    {"tiny",
     {.model = {.d_model = 128, .d_ff = 256, .heads = 4, .encoder_layers = 4, .decoder_layers = 4},
      .training = {.dropout = 0.3,
                   .learning_rate = {.warmup_steps = 2000, .scale = 2.5},
                   .steps = 10000,
                   .validate_every = 500,
                   .checkpoint_every = 250},
      .merges = 10000,
      .keep = 10,
      .valid_bleu = 2000}},
    {"small",
     {.model = {.d_model = 256, .d_ff = 1024, .heads = 8, .encoder_layers = 3, .decoder_layers = 3},
      .training = {.steps = 30000}}},
    // Table 3, "base": 100,000 steps of 25,000 source and 25,000 target tokens.
    {"base",
     {.model = {.d_model = 512, .d_ff = 2048, .heads = 8, .encoder_layers = 6, .decoder_layers = 6},
      .training = {.steps = 100000},
      .merges = 37000,
      .batch_tokens = 25000}},
    // Table 3, "big".
    {"big",
     {.model = {.d_model = 1024, .d_ff = 4096, .heads = 16, .encoder_layers = 6, .decoder_layers = 6},
      .training = {.dropout = 0.3, .steps = 300000},
      .merges = 37000,
      .batch_tokens = 25000,
      .keep = 20}}};

}  // namespace

std::optional<Recipe> preset_recipe(const std::string& name) {
  const auto preset = kPresets.find(name);
  if (preset == kPresets.end()) return std::nullopt;
  return preset->second;
}

}  // namespace plainformer
