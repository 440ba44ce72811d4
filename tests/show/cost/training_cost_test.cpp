// The account of a step: by hand, and against the tensors that a step really holds; and the memory of a run.
#include "train/training_cost.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/random.h"
#include "core/special_symbols.h"
#include "core/storage.h"
#include "show/benchmark/benchmark_sections.h"
#include "support/program.h"
#include "support/thrown_message.h"
#include "training/recomputing.h"
#include "training/training_loop.h"

namespace plainformer {
namespace {

// 3 sentences of 5 and 7 positions: 15 in the source, 21 in the target.
const ModelConfig kSmall = {
    .d_model = 4, .d_ff = 6, .heads = 2, .encoder_layers = 1, .decoder_layers = 1, .vocab = 11};
const BatchShape kBatch = BatchShape::equal_lengths(3, 5, 7);

// --- by hand

TEST(TrainingCost, OfEachPartByHand) {
  ModelConfig config = kSmall;
  config.encoder_layers = 2;
  config.decoder_layers = 3;
  const TrainingCost cost = training_cost(config, kBatch, TrainingMethod::of_equations()),
                     recomputed = training_cost(config, kBatch, {.recompute = true});
  const struct {
    std::int64_t parameters, forward;
  } parts[] = {{11 * 4, 0},
               {2 * 4 * 16, 2 * 4 * 15 * 16},            // encoder: projections
               {0, 2 * 2 * 3 * 5 * 5 * 4},               // scores, averages
               {2 * (2 * 24 + 6 + 4), 2 * 2 * 15 * 24},  // feed-forward
               {2 * 2 * 2 * 4, 0},                       // norms
               {3 * 4 * 16, 3 * 4 * 21 * 16},            // decoder: projections
               {0, 3 * 2 * 3 * 7 * 7 * 4},
               {3 * 4 * 16, 3 * (2 * 21 + 2 * 15) * 16},  // to the encoder
               {0, 3 * 2 * 3 * 7 * 5 * 4},
               {3 * (2 * 24 + 6 + 4), 3 * 2 * 21 * 24},
               {3 * 3 * 2 * 4, 0},
               {0, 21 * 4 * 11}};
  ASSERT_EQ(cost.size(), std::size(parts));
  EXPECT_EQ(training_operations(config, kBatch), 2 * total(cost).multiply_adds());
  for (std::size_t i = 0; i < cost.size(); ++i) {
    EXPECT_EQ(cost[i].parameters, parts[i].parameters) << cost[i].name;
    EXPECT_EQ(cost[i].forward, parts[i].forward) << cost[i].name;
    EXPECT_EQ(cost[i].backward, 2 * parts[i].forward) << cost[i].name;
    const bool is_again = i + 1 < cost.size();  // not the logits
    EXPECT_EQ(recomputed[i].backward, (is_again ? 3 : 2) * parts[i].forward) << cost[i].name;
  }
}

// 2 tiles of 4 queries, lengths 5 and 3 of 5 positions. Encoder: all queries see 5 or 3 keys. Decoder: up to
// 4 and 5 keys in the first sentence, up to 3 in the second.
TEST(TrainingCost, OfTilesByHand) {
  const BatchShape padded = {.source_lengths = {5, 3}, .target_lengths = {5, 3}};
  const TrainingMethod tiles = {.attention = Way::kFast, .queries_of_tile = 4};
  const TrainingCost cost = training_cost(kSmall, padded, tiles);
  const std::int64_t encoder = 5 * 5 + 5 * 3, decoder = 4 * 4 + 1 * 5 + 5 * 3;
  EXPECT_EQ(cost[2].forward, encoder * 8);
  EXPECT_EQ(cost[2].backward, encoder * 20);
  EXPECT_EQ(cost[6].forward, decoder * 8);
  EXPECT_EQ(cost[6].backward, decoder * 20);
  EXPECT_EQ(cost[8].forward, encoder * 8);
}

// --- against what runs

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
std::vector<CostExample> cost_examples() {
  const auto model = [](Index d_model, Index d_ff, Index heads, Index encoder_layers, Index decoder_layers,
                        Index vocab, Index max_length) {
    ModelConfig config;
    config.d_model = d_model;
    config.d_ff = d_ff;
    config.heads = heads;
    config.encoder_layers = encoder_layers;
    config.decoder_layers = decoder_layers;
    config.vocab = vocab;
    config.max_length = max_length;
    return config;
  };
  const ModelConfig small = model(6, 10, 2, 2, 3, 11, 9), wide = model(2, 70, 1, 1, 2, 7, 64),
                    encoder = model(6, 5, 3, 2, 1, 11, 64);
  ModelConfig longer = model(4, 3, 2, 3, 1, 13, 80);
  longer.positions = Positions::kLearned;
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
std::vector<std::pair<Ways, bool>> all_methods() {
  std::vector<std::pair<Ways, bool>> methods;
  for (const char* plain : {"none", "all"})
    for (const bool recompute : {false, true}) methods.emplace_back(plain_ways(plain, "test"), recompute);
  return methods;
}

std::string description(const CostExample& example, const std::pair<Ways, bool>& method) {
  return std::string(example.name) + (method.second ? ", recomputed, " : ", ") +
         "plain: " + plain_names(method.first);
}

TEST(TrainingCost, CountsTheParametersOfTheModel) {
  for (const CostExample& example : cost_examples()) {
    Transformer model(example.config, 1);
    std::int64_t elements = 0;
    for (const NamedParameter& each : model.parameters()) elements += each.parameter->value.size();
    EXPECT_EQ(total(training_cost(example.config, {}, {})).parameters, elements) << example.name;
  }
}

std::int64_t used_bytes() {
  return static_cast<std::int64_t>(storage_statistics().used_bytes);
}

TrainingMemory account_of(const CostExample& example, bool recompute) {
  return training_memory(example.config, BatchShape::of(example.batch()),
                         TrainingMethod::in_use(example.config.vocab, recompute), /*threads=*/1);
}

// To the byte: the most that exists at one moment of a step. The account takes each moment by itself, and has
// no gaps.
TEST(TrainingMemory, HasThePeakOfAStep) {
  for (const CostExample& example : cost_examples())
    for (const auto& method : all_methods()) {
      const WaysInScope in_scope(method.first);
      const TrainingMemory account = account_of(example, method.second);
      {
        Transformer model(example.config, 1);
        Adam adam(model.parameters(), {});
        train_on(example.batch(), model, adam, 1, method.second);
      }
      const std::int64_t before = used_bytes();
      Transformer model(example.config, 1);
      Adam adam(model.parameters(), {});
      restart_storage_peak();
      train_on(example.batch(), model, adam, 3, method.second);
      const std::int64_t peak = static_cast<std::int64_t>(storage_statistics().peak_used_bytes) - before;
      EXPECT_EQ(peak, account.tensors_at_peak()) << description(example, method);
    }
}

// ---- the memory of a run

std::vector<SentencePair> pairs_of(std::initializer_list<Index> lengths) {
  std::vector<SentencePair> pairs;
  for (const Index length : lengths) {
    const std::vector<int> sentence(static_cast<std::size_t>(length), 5);
    pairs.push_back({sentence, sentence});
  }
  return pairs;
}

Settings nano_settings() {
  Settings settings = preset_settings("nano");
  settings.batch_tokens = 8;
  settings.model.vocab = 50;
  return settings;
}

// Bytes for the tensors of a step alone.
double step_bytes(const Settings& settings, std::initializer_list<Index> lengths) {
  const TrainingMemory needed = estimate_memory(settings, settings.model, pairs_of(lengths));
  return needed.tensors_at_peak() - needed.of_model();
}

TEST(EstimatedMemory, IsThatOfAFullBatchOrOfTheWholeText) {
  Settings settings = nano_settings();
  const double usual = step_bytes(settings, {7});  // with its special symbol, a batch of 8
  EXPECT_EQ(step_bytes(settings, {2, 7, 3}), usual);
  settings.batch_tokens = 24;
  EXPECT_EQ(step_bytes(settings, {2, 7, 7}), step_bytes(settings, {7, 7, 7}));
  EXPECT_GT(step_bytes(settings, {2, 7, 7}), 2 * usual);
}

TEST(EstimatedMemory, CountsTheTwoPassesOfRDropAndLessWithRecomputation) {
  Settings settings = nano_settings();
  settings.model.encoder_layers = settings.model.decoder_layers = 6;
  const double usual = step_bytes(settings, {7});
  settings.r_drop = 5;
  const double twice = step_bytes(settings, {7});
  settings.r_drop = 0;
  settings.batch_tokens = 16;
  EXPECT_EQ(step_bytes(settings, {7, 7}), twice);
  settings.recompute = true;
  EXPECT_LT(step_bytes(settings, {7}), usual / 2);
}

TEST(EstimatedMemory, IsRefusedWithTheOptionsToChange) {
  Settings settings = nano_settings();
  const TrainingMemory needed = {.weights = 4e9, .activations = 3e9};
  const auto message = [&](double usable) {
    return error_of([&] { require_memory(settings, needed, usable); });
  };
  require_memory(settings, needed, 7e9);
  EXPECT_EQ(
      message(6e9),
      "--batch-tokens: a step on a full batch takes about 7.0 GB, of which the model takes 4.0 GB, but "
      "this program may use 6.0 GB of memory here (hint: choose a smaller --batch-tokens or --max-tokens, or "
      "add --recompute, or a smaller --d-model)");
  settings.recompute = true;
  EXPECT_FALSE(contains(message(6e9), "--recompute"));
  EXPECT_EQ(
      message(512e6),
      "the model: its weights, their gradients and Adam's moments take at least 4.0 GB, but this program may "
      "use 512 MB of memory here (hint: choose a smaller --d-model or --d-ff, fewer layers, or a smaller "
      "--preset)");
}

TEST(EstimatedMemory, IsDescribedWithWhatTheProgramHolds) {
  const TrainingMemory needed = {.weights = 1e8, .activations = 3e8};
  EXPECT_EQ(describe_memory(needed, 10e6, 25.2e9), "about 410 MB of 25.2 GB");
  EXPECT_EQ(describe_memory(needed, 10e6, std::numeric_limits<double>::infinity()), "about 410 MB");
}

}  // namespace
}  // namespace plainformer
