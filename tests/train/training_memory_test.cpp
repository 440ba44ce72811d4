// The estimate of a run's memory.
#include "train/training_cost.h"

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

Settings nano_settings() {
  Settings settings = preset_settings("nano");
  settings.batch_tokens = 8;
  settings.model.vocab = 50;
  return settings;
}

// Bytes for the tensors of a step alone.
double step_bytes(const Settings& settings, std::initializer_list<Index> lengths) {
  const MemoryEstimate needed = estimate_memory(settings, settings.model, pairs_of(lengths));
  return needed.step - needed.model;
}

// nano: 1+1 layers, d_model 8, d_ff 16; 32 bits each.
TEST(MemoryEstimate, HasFourNumbersForEachWeight) {
  const Settings settings = nano_settings();
  const double weights = 50 * 8 + 3 * (4 * 8 * 8) + 2 * (2 * 8 * 16 + 16 + 8) + 5 * 2 * 8;
  const MemoryEstimate needed = estimate_memory(settings, settings.model, pairs_of({7}));
  EXPECT_EQ(needed.model, 4 * sizeof(Real) * weights);
}

TEST(MemoryEstimate, IsThatOfAFullBatchOrOfTheWholeText) {
  Settings settings = nano_settings();
  const double usual = step_bytes(settings, {7});  // with its special symbol, a batch of 8
  EXPECT_EQ(step_bytes(settings, {2, 7, 3}), usual);
  settings.batch_tokens = 24;
  EXPECT_EQ(step_bytes(settings, {2, 7, 7}), step_bytes(settings, {7, 7, 7}));
  EXPECT_GT(step_bytes(settings, {2, 7, 7}), 2 * usual);
}

TEST(MemoryEstimate, CountsTheTwoPassesOfRDropAndLessWithRecomputation) {
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

TEST(MemoryEstimate, IsRefusedWithTheOptionsToChange) {
  Settings settings = nano_settings();
  const MemoryEstimate needed = {.model = 4e9, .step = 7e9};
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

TEST(MemoryEstimate, IsDescribedWithWhatTheProgramHolds) {
  const MemoryEstimate needed = {.model = 1e8, .step = 4e8};
  EXPECT_EQ(describe_memory(needed, 10e6, 25.2e9), "about 410 MB of 25.2 GB");
  EXPECT_EQ(describe_memory(needed, 10e6, std::numeric_limits<double>::infinity()), "about 410 MB");
}

}  // namespace
}  // namespace plainformer
