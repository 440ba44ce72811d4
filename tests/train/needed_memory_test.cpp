// The memory of a training run, before it begins.
#include "train/needed_memory.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/program.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

std::vector<SentencePair> pairs_of(std::initializer_list<Index> lengths) {
  std::vector<SentencePair> pairs;
  for (const Index length : lengths) {
    const std::vector<int> sentence(static_cast<std::size_t>(length), 5);
    pairs.push_back({sentence, sentence});
  }
  return pairs;
}

TrainSettings settings_with(Index batch_tokens) {
  TrainSettings settings = preset_settings("nano");
  settings.batch_tokens = batch_tokens;
  settings.model.vocab = 50;
  return settings;
}

std::int64_t activations(const TrainSettings& settings, std::initializer_list<Index> lengths) {
  return needed_memory(settings, settings.model, pairs_of(lengths)).activations;
}

TEST(NeededMemory, IsThatOfTheLargestBatch) {
  const TrainSettings settings = settings_with(8);
  const TrainingMemory account =
      training_memory(settings.model, BatchShape::equal_lengths(1, 8, 8),
                      TrainingMethod::in_use(50, /*recompute=*/false), /*threads=*/1);
  EXPECT_EQ(activations(settings, {2, 7, 3}),
            account.activations);  // a special symbol joins the seven tokens
  EXPECT_EQ(needed_memory(settings, settings.model, pairs_of({2, 7, 3})).weights, account.weights);
  EXPECT_GT(activations(settings_with(24), {2, 7, 7}), account.activations);
}

TEST(NeededMemory, CountsTheTwoPassesOfRDropAndLessWithRecomputation) {
  TrainSettings settings = settings_with(8);
  const std::int64_t usual = activations(settings, {7});
  settings.r_drop = 5;
  EXPECT_EQ(activations(settings, {7}), 2 * usual);
  settings.r_drop = 0;
  settings.recompute = true;
  EXPECT_LT(activations(settings, {7}), usual);
}

TEST(NeededMemory, IsRefusedWithTheOptionsToChange) {
  TrainSettings settings = settings_with(8);
  const TrainingMemory needed = {.weights = 1'000'000'000,
                                 .gradients = 1'000'000'000,
                                 .moments = 2'000'000'000,
                                 .activations = 3'000'000'000};
  const auto message = [&](double usable) {
    return thrown_message<std::runtime_error>([&] { require_memory(settings, needed, usable); });
  };
  require_memory(settings, needed, 7e9);
  EXPECT_EQ(
      message(6e9),
      "--batch-tokens: a step on the largest batch takes 7.0 GB, of which the model takes 4.0 GB, but this "
      "program may use 6.0 GB of memory here (hint: choose a smaller --batch-tokens or --max-tokens, or add "
      "--recompute, or a smaller --d-model)");
  settings.recompute = true;
  EXPECT_FALSE(contains(message(6e9), "--recompute"));
  EXPECT_EQ(
      message(512e6),
      "the model: its weights, their gradients and Adam's moments take at least 4.0 GB, but this program may "
      "use 512 MB of memory here (hint: choose a smaller --d-model or --d-ff, fewer layers, or a smaller "
      "--preset)");
}

TEST(NeededMemory, OfAModelIsRefusedBeforeItsTextIsRead) {
  TrainSettings settings = preset_settings("nano");
  require_memory_for_model(settings, 1e6);
  settings.model.d_model = 65536;
  EXPECT_TRUE(contains(thrown_message<std::runtime_error>([&] { require_memory_for_model(settings, 24e9); }),
                       "take at least 82"));
  settings.model.encoder_layers = settings.model.decoder_layers = ModelConfig::kMaxLayers;
  settings.model.d_ff = 65536;
  EXPECT_TRUE(contains(thrown_message<std::runtime_error>([&] { require_memory_for_model(settings, 24e9); }),
                       " take at least "));
}

TEST(NeededMemory, CountsTheAverageAtTheEnd) {
  TrainSettings settings = settings_with(8);
  const TrainingMemory needed = {
      .weights = 100'000'000, .gradients = 100'000'000, .moments = 200'000'000, .activations = 50'000'000};
  EXPECT_EQ(
      thrown_message<std::runtime_error>([&] { require_memory(settings, needed, 600e6); }),
      "--keep: the average of checkpoints at the end takes 700 MB, but this program may use 600 MB of memory "
      "here (hint: give --keep 1 for no average, or choose a smaller model)");
  settings.keep = 1;
  require_memory(settings, needed, 600e6);
}

TEST(NeededMemory, IsDescribedWithWhatTheProgramHolds) {
  TrainSettings settings = settings_with(8);
  const TrainingMemory needed = {.weights = 100'000'000, .scratch = 3'000'000};
  EXPECT_EQ(describe_memory(settings, needed, 10e6, 25.2e9), "about 410 MB of 25.2 GB");
  settings.keep = 1;
  EXPECT_EQ(describe_memory(settings, needed, 10e6, 25.2e9), "about 113 MB of 25.2 GB");
  EXPECT_EQ(describe_memory(settings, needed, 10e6, std::numeric_limits<double>::infinity()), "about 113 MB");
}

}  // namespace
}  // namespace plainformer
