// The plain way and the fast way are one model: a training run goes the same way by both, and so does a
// translation.
#include <gtest/gtest.h>

#include <type_traits>

#include "core/random.h"
#include "core/special_symbols.h"
#include "decoding/decode_all.h"
#include "ops/ways.h"
#include "support/sanitized.h"
#include "training/tiny_training.h"
#include "transformer/token_batch.h"
#include "transformer/transformer.h"

namespace plainformer {
namespace {

constexpr double kTolerance = std::is_same_v<Real, double> ? 1e-10 : 1e-4;  // of a loss, relative

using Sentences = std::vector<std::vector<int>>;

struct Example {
  ModelConfig config;
  Index steps, batch, longest;
};

// Sources of 1 to `longest` random tokens; each target is its source backwards, a token to be learned from
// it.
TranslationBatch random_batch(const Example& example, std::uint64_t number) {
  Random random(random_stream(5, number, 0));
  Sentences sources(example.batch), targets;
  for (std::vector<int>& source : sources) {
    source.resize(1 + random.below(example.longest));
    for (int& token : source)
      token = static_cast<int>(kUnknownId + random.below(example.config.vocab - kUnknownId));
    targets.emplace_back(source.rbegin(), source.rend());
  }
  return TranslationBatch::from(sources, targets);
}

// Trains with dropout, the ways in use, and returns the loss of each step.
std::vector<double> losses_of_training(Transformer& model, const Example& example) {
  TrainingOptions options;
  options.dropout = 0.1;
  options.learning_rate = {
      .d_model = example.config.d_model, .warmup_steps = 300, .scale = 0.6};  // as preset toy
  StepwiseTraining training(model, options);
  std::vector<double> losses;
  for (Index step = 0; step < example.steps; ++step)
    losses.push_back(training.step({random_batch(example, step)}).loss);
  return losses;
}

void expect_one_training(const Example& example) {
  std::vector<double> losses[2];
  std::vector<Hypotheses> translations[2];
  const Sentences sources = {{4, 5, 6}, {7}, {}, {8, 4, 4, 9, 10}, {6, 5}};
  for (const bool is_plain : {false, true}) {
    const WaysInScope chosen(plain_ways(is_plain ? "all" : "none", "test"));
    Transformer model(example.config, 1);
    losses[is_plain] = losses_of_training(model, example);
    translations[is_plain] = decode_all(model, sources, {.beam = 4, .limits = {.extra_length = 10}});
  }
  for (Index step = 0; step < example.steps; ++step)
    ASSERT_NEAR(losses[1][step], losses[0][step], kTolerance * losses[0][step]) << "step " << step + 1;
  EXPECT_LT(losses[0].back(), losses[0].front()) << "nothing was learned";
  for (std::size_t i = 0; i < sources.size(); ++i)
    EXPECT_EQ(translations[1][i].front().tokens, translations[0][i].front().tokens) << "sentence " << i;
}

TEST(TwoWays, AreOneModelOfNanosSize) {
  expect_one_training({.config = {.d_model = 8,
                                  .d_ff = 16,
                                  .heads = 2,
                                  .encoder_layers = 1,
                                  .decoder_layers = 1,
                                  .vocab = 11,
                                  .max_length = 32},
                       .steps = 100,
                       .batch = 8,
                       .longest = 6});
}

TEST(TwoWays, AreOneModelOfToysSize) {
  if (kSanitized) GTEST_SKIP() << "two minutes under a sanitizer; nano's size takes the same paths";
  expect_one_training({.config = {.d_model = 128,
                                  .d_ff = 256,
                                  .heads = 4,
                                  .encoder_layers = 2,
                                  .decoder_layers = 2,
                                  .vocab = 23,
                                  .max_length = 32},
                       .steps = 20,
                       .batch = 4,
                       .longest = 7});
}

}  // namespace
}  // namespace plainformer
