// A training step that really runs, to compare an account with.
#pragma once

#include "core/random.h"
#include "core/special_symbols.h"
#include "show/cost/training_cost.h"
#include "training/recomputing.h"
#include "training/training_loop.h"

namespace plainformer {

struct CostExample {
  const char* name;
  ModelConfig config;
  std::vector<Index> source_lengths, target_lengths;  // with their special symbols

  TranslationBatch batch() const {
    Random random(random_stream(7, 0, 0));
    const auto sentences = [&](const std::vector<Index>& lengths) {
      std::vector<std::vector<int>> all;
      for (const Index length : lengths) {
        all.emplace_back();
        for (Index i = 1; i < length; ++i)
          all.back().push_back(
              static_cast<int>(kSpecialSymbols + random.below(config.vocab - kSpecialSymbols)));
      }
      return all;
    };
    return TranslationBatch::from(sentences(source_lengths), sentences(target_lengths));
  }
};

// Padding on both sides, other depths on both sides; sentences longer than the tiles of attention, also with
// padding, and positions that are learned; a wide feed-forward network, and more rows of logits than a block.
// In the last three, other moments of a step need the most memory: in the encoder's attention, in its
// feed-forward network, in the loss.
inline std::vector<CostExample> cost_examples() {
  const ModelConfig small = {.d_model = 6,
                             .d_ff = 10,
                             .heads = 2,
                             .encoder_layers = 2,
                             .decoder_layers = 3,
                             .vocab = 11,
                             .max_length = 9};
  ModelConfig longer = {.d_model = 4,
                        .d_ff = 3,
                        .heads = 2,
                        .encoder_layers = 3,
                        .decoder_layers = 1,
                        .vocab = 13,
                        .max_length = 80};
  longer.positions = Positions::kLearned;
  const ModelConfig wide = {.d_model = 2,
                            .d_ff = 70,
                            .heads = 1,
                            .encoder_layers = 1,
                            .decoder_layers = 2,
                            .vocab = 7,
                            .max_length = 64};
  const ModelConfig encoder = {.d_model = 6,
                               .d_ff = 5,
                               .heads = 3,
                               .encoder_layers = 2,
                               .decoder_layers = 1,
                               .vocab = 11,
                               .max_length = 64};
  ModelConfig wide_encoder = encoder, vocabulary = small;
  wide_encoder.d_ff = 300;
  vocabulary.vocab = 1009;
  ModelConfig narrow_keys = small;
  narrow_keys.d_k = 2;
  narrow_keys.d_v = 5;
  return {{"small", small, {5, 3, 4, 2}, {7, 2, 6, 4}},
          {"longer", longer, {70, 41, 33}, {67, 80, 12}},
          {"wide", wide, std::vector<Index>(43, 3), std::vector<Index>(43, 50)},
          {"encoder", encoder, {60, 31}, {2, 3}},
          {"wide encoder", wide_encoder, {60, 31}, {2, 3}},
          {"vocabulary", vocabulary, {5, 3, 4, 2}, {7, 2, 6, 4}},
          {"narrow keys", narrow_keys, {5, 3, 4, 2}, {7, 2, 6, 4}}};
}

// Both ways of everything, with and without --recompute.
inline std::vector<std::pair<Ways, bool>> all_methods() {
  std::vector<std::pair<Ways, bool>> methods;
  for (const char* plain : {"none", "all"})
    for (const bool recompute : {false, true}) methods.emplace_back(plain_ways(plain, "test"), recompute);
  return methods;
}

inline std::string description(const CostExample& example, const std::pair<Ways, bool>& method) {
  return std::string(example.name) + (method.second ? ", recomputed, " : ", ") +
         "plain: " + plain_names(method.first);
}

// Trains that many steps on the same batch.
inline void train_steps(
    const CostExample& example, bool recompute, Transformer& model, Adam& adam, Index steps,
    const std::function<void()>& after_step = [] {}) {
  TrainingOptions options;
  options.learning_rate.d_model = example.config.d_model;
  options.steps = steps;
  TrainingProgress progress;
  const TranslationBatch batch = example.batch();
  TrainingHooks hooks;
  hooks.after_step = [&](const StepReport&) { after_step(); };
  const BatchSource source = {.begin_epoch = [](Index) { return 1; }, .batch = [&](Index) { return batch; }};
  RecomputingTransformer recomputing(model);
  if (recompute)
    train(recomputing, adam, progress, options, source, hooks);
  else
    train(model, adam, progress, options, source, hooks);
}

}  // namespace plainformer
