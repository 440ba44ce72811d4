#include "lab/experiments/norm_training.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "decoding/greedy_search.h"
#include "lab/experiments/repeated_greedy_search.h"

namespace plainformer {
namespace {

constexpr TranslatorTextOptions kTinyText = {.seed = 1, .pairs = 100, .held_out = 5};

// Equation (3) for preset toy: 0.6 (128 * 300)^-0.5.
TEST(NormRates, RiseToThePeakOrBeginThere) {
  EXPECT_NEAR(toy_peak_rate(), 3.06186e-03, 1e-8);
  const NormRates with = toy_rates(0.003, true), without = toy_rates(0.003, false, 4);
  EXPECT_NEAR(with.at(1), 1e-5, 1e-12);
  EXPECT_NEAR(with.at(300), 0.003, 1e-12);
  EXPECT_NEAR(with.at(1200), 0.0015, 1e-12);
  EXPECT_NEAR(without.at(1), 0.012, 1e-12);
  EXPECT_NEAR(without.at(300), 0.012, 1e-12);
  EXPECT_NEAR(without.at(1200), 0.006, 1e-12);
}

// The paper's model at the paper's rates: the loop's own schedule gives the same weights, up to rounding of the rates.
TEST(NormTraining, TrainsAtTheRatesThatItIsGiven) {
  TranslatorText text = translator_text(kTinyText);
  NormTraining training(NormKind::kPostNorm, toy_rates(toy_peak_rate(), true), text);
  training.train_until(3, [] {});

  Transformer model(text.settings.model, text.settings.training.seed);
  TrainingOptions options = text.settings.training;
  options.learning_rate.scale = 0.6;
  options.steps = 3;
  options.validate_every = options.checkpoint_every = 0;
  Adam adam(model.parameters(), options.adam);
  TrainingProgress progress;
  TrainingBatches batches(text.settings, text.text, text.corpora);
  train(model, adam, progress, options, batches.source(), {});
  CrossEntropy sums;
  for (const SentencePair& pair : text.corpora.valid)
    sums += evaluate(model, TranslationBatch::from({pair.source}, {pair.target}), 0);
  EXPECT_NEAR(training.test().loss, sums.loss / double(sums.rows), 1e-5);
}

TEST(NormTraining, GoesOnWhereItStoppedWithEveryNorm) {
  TranslatorText text = translator_text(kTinyText);
  for (const NormKind kind : {NormKind::kPostNorm, NormKind::kPreNorm, NormKind::kBatchNorm}) {
    NormTraining together(kind, toy_rates(0.003, false), text), apart(kind, toy_rates(0.003, false), text);
    Index steps = 0;
    together.train_until(2, [&] { ++steps; });
    for (const Index until : {1, 2}) apart.train_until(until, [] {});
    const NormResult one = together.test(), other = apart.test();
    EXPECT_EQ(steps, 2);
    EXPECT_EQ(one.loss, other.loss) << name_of(kind);
    EXPECT_EQ(one.training_loss, other.training_loss);
    EXPECT_TRUE(std::isfinite(one.loss));
    EXPECT_EQ(one.loss_by_batch.has_value(), kind == NormKind::kBatchNorm);
    if (kind != NormKind::kBatchNorm) continue;
    EXPECT_NE(*one.loss_by_batch, *one.loss_by_sentence);
  }
}

// A rate at which everything overflows, in either precision.
TEST(NormTraining, EndsWhenTheModelIsNotFinite) {
  TranslatorText text = translator_text(kTinyText);
  NormTraining training(NormKind::kPreNorm, toy_rates(1e-6 * std::numeric_limits<Real>::max(), false), text);
  Index steps = 0;
  training.train_until(100, [&] { ++steps; });
  EXPECT_LT(steps, 20);
  const NormResult result = training.test();
  EXPECT_FALSE(std::isfinite(result.loss));
  EXPECT_EQ(result.exact, 0);
}

TEST(RepeatedGreedySearch, FindsTheTranslationsOfGreedySearch) {
  TranslatorText text = translator_text(kTinyText);
  Transformer model(text.settings.model, 1);
  for (Real scale = 1; const NamedParameter& p : model.parameters())  // livelier than at first
    if (p.name.ends_with("gain"))
      p.parameter->value = Tensor::filled(p.parameter->value.shape(), scale += 0.2f);
  const auto found = repeated_greedy_search(
      {.encode = [&](const TokenBatch& source) { return model.encode(source); },
       .decode = [&](const TokenBatch& target, const Tensor& memory,
                     const auto& lengths) { return model.decode(target, memory, lengths); },
       .embedding = model.embedding},
      text.test.sources, 10);
  const auto expected = greedy_search(model, text.test.sources, {.extra_length = 10});
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], expected[i].tokens) << i;
}

}  // namespace
}  // namespace plainformer
