// 5 Training: one step.
#include "training/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "ops/norm.h"
#include "thrown_message.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

double norm(const std::vector<Tensor>& tensors) {
  double squares = 0;
  for (const Tensor& t : tensors) squares += sum_of_squares(t);
  return std::sqrt(squares);
}

TEST(Trainer, TheLossFallsUntilTheBatchIsKnown) {
  Transformer model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0);
  options.label_smoothing = 0;
  Trainer trainer(model, options);
  const double first = trainer.step({tiny_batch()}).loss;
  double last = first;
  for (int step = 0; step < 120; ++step) last = trainer.step({tiny_batch()}).loss;
  EXPECT_NEAR(first, std::log(11.0), 1.0);
  EXPECT_LT(last, 0.1);
  EXPECT_EQ(trainer.steps(), 121);
}

TEST(Trainer, ReportsTokensWithTheirEndAndTheRateOfTheStep) {
  Transformer model(tiny_config(), 1);
  const TrainingOptions options = tiny_options(0);
  Trainer trainer(model, options);
  const StepReport first = trainer.step({tiny_batch()});
  EXPECT_EQ(first.source_tokens, 3 + 2 + 4 + 1 + 4);
  EXPECT_EQ(first.target_tokens, 3 + 2 + 4 + 1 + 4);
  EXPECT_DOUBLE_EQ(first.learning_rate, options.learning_rate.at(1));
  EXPECT_DOUBLE_EQ(trainer.step({tiny_batch()}).learning_rate, options.learning_rate.at(2));
  EXPECT_FALSE(first.skipped());
}

TEST(Trainer, ReportsTheLossOfTheBatchBeforeTheStep) {
  Transformer model(tiny_config(), 1);
  Trainer trainer(model, tiny_options(0));
  const CrossEntropy before = trainer.evaluate(tiny_batch());
  const StepReport report = trainer.step({tiny_batch()});
  EXPECT_NEAR(report.loss, before.loss / 14, 1e-9);
  EXPECT_NEAR(report.log_probability, before.log_probability / 14, 1e-9);
}

TEST(Trainer, TwoHalfBatchesAreOneBatch) {
  Transformer whole_model(tiny_config(), 1), halves_model(tiny_config(), 1);
  Trainer whole(whole_model, tiny_options(0)), halves(halves_model, tiny_options(0));
  const auto sources = tiny_sources(), targets = tiny_targets();
  const StepReport one = whole.step({tiny_batch()});
  const StepReport two =
      halves.step({TranslationBatch::from({sources[0], sources[1]}, {targets[0], targets[1]}),
                   TranslationBatch::from({sources[2], sources[3]}, {targets[2], targets[3]})});

  EXPECT_NEAR(two.loss, one.loss, 1e-6);
  EXPECT_NEAR(two.log_probability, one.log_probability, 1e-6);
  EXPECT_NEAR(two.grad_norm, one.grad_norm, 1e-5);
  EXPECT_EQ(two.target_tokens, one.target_tokens);
  EXPECT_EQ(halves.steps(), 1);
  const ParameterList expected = whole_model.parameters(), actual = halves_model.parameters();
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(near(actual[i].parameter->grad, expected[i].parameter->grad, 1e-6)) << expected[i].name;
}

TEST(Trainer, RecomputingChangesNoBit) {
  Transformer model(tiny_config(), 1), same_model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0.3);
  Trainer keeping(model, options);
  options.recompute = true;
  Trainer recomputing(same_model, options);
  for (int step = 0; step < 5; ++step) {
    const StepReport expected = keeping.step({tiny_batch(), tiny_batch()});
    EXPECT_EQ(recomputing.step({tiny_batch(), tiny_batch()}).grad_norm, expected.grad_norm);
  }
  EXPECT_TRUE(same_bits(weights(same_model), weights(model)));
  EXPECT_TRUE(same_bits(recomputing.adam().second_moments(), keeping.adam().second_moments()));
}

// The first moments are (1 - 0.9) times the gradient that Adam was given.
TEST(Trainer, ClippingScalesALongGradientDownToTheNorm) {
  Transformer model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0);
  options.clip_norm = 0.25;
  Trainer trainer(model, options);
  const StepReport report = trainer.step({tiny_batch()});
  EXPECT_GT(report.grad_norm, 0.25);
  EXPECT_NEAR(norm(trainer.adam().first_moments()), 0.1 * 0.25, 1e-6);
}

TEST(Trainer, ClippingLeavesAShortGradientAlone) {
  Transformer clipped_model(tiny_config(), 1), plain_model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0);
  Trainer plain(plain_model, options);
  options.clip_norm = 1000;
  Trainer clipped(clipped_model, options);
  const double grad_norm = plain.step({tiny_batch()}).grad_norm;
  clipped.step({tiny_batch()});
  EXPECT_TRUE(same_bits(weights(clipped_model), weights(plain_model)));
  EXPECT_NEAR(norm(plain.adam().first_moments()), 0.1 * grad_norm, 1e-6);
}

TEST(Trainer, AStepThatIsNotFiniteChangesNothing) {
  Transformer model(tiny_config(), 1);
  Trainer trainer(model, tiny_options(0.1));
  trainer.step({tiny_batch()});
  model.encoder.layers[0].feed_forward.w_1.value.mutable_data()[5] = std::numeric_limits<Real>::infinity();
  const auto before = weights(model);
  const auto first_moments = trainer.adam().first_moments(), second_moments = trainer.adam().second_moments();

  const StepReport report = trainer.step({tiny_batch()});
  EXPECT_TRUE(report.skipped());
  EXPECT_FALSE(std::isfinite(report.loss));
  EXPECT_TRUE(same_bits(weights(model), before));
  EXPECT_TRUE(same_bits(trainer.adam().first_moments(), first_moments));
  EXPECT_TRUE(same_bits(trainer.adam().second_moments(), second_moments));
  EXPECT_EQ(trainer.steps(), 1);
  EXPECT_EQ(trainer.attempts(), 2u);
}

// Its update would be infinite.
TEST(Trainer, ARateThatRealCannotHoldChangesNothing) {
  Transformer model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0);
  options.learning_rate.scale = std::numeric_limits<double>::max();
  Trainer trainer(model, options);
  const auto before = weights(model);
  EXPECT_EQ(trainer.step({tiny_batch()}).not_finite, sizeof(Real) == 4 ? "the learning rate" : "");
  if (sizeof(Real) == 4) {
    EXPECT_TRUE(same_bits(weights(model), before));
  }
}

TEST(Trainer, EvaluationHasNoDropoutAndChangesNothing) {
  Transformer model(tiny_config(), 1);
  Trainer trainer(model, tiny_options(0.5)), without_dropout(model, tiny_options(0));
  const auto before = weights(model);
  const CrossEntropy sums = trainer.evaluate(tiny_batch());
  EXPECT_EQ(sums.loss, without_dropout.evaluate(tiny_batch()).loss);
  EXPECT_EQ(sums.rows, 14);
  EXPECT_TRUE(same_bits(weights(model), before));
  EXPECT_EQ(trainer.steps(), 0);
}

TEST(Trainer, DropoutDependsOnTheSeedAndChangesFromStepToStep) {
  const auto losses = [](std::uint64_t seed) {
    Transformer model(tiny_config(), 1);
    TrainingOptions options = tiny_options(0.5);
    options.learning_rate.scale = 1e-30;  // so that only the masks change
    options.seed = seed;
    Trainer trainer(model, options);
    const double first = trainer.step({tiny_batch()}).loss;
    return std::pair(first, trainer.step({tiny_batch()}).loss);
  };
  EXPECT_EQ(losses(1), losses(1));
  EXPECT_NE(losses(1).first, losses(2).first);
  EXPECT_NE(losses(1).first, losses(1).second);
}

TEST(Trainer, EachBatchOfAStepHasDropoutMasksOfItsOwn) {
  Transformer model(tiny_config(), 1);
  Trainer trainer(model, tiny_options(0.5));
  const double once = trainer.step({tiny_batch()}).loss;
  Transformer same_model(tiny_config(), 1);
  Trainer twice(same_model, tiny_options(0.5));
  EXPECT_NE(twice.step({tiny_batch(), tiny_batch()}).loss, once);
}

struct BadOption {
  const char* name;
  void (*set)(TrainingOptions&);
};

TEST(TrainingOptions, NameWhatDoesNotFit) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const BadOption bad_options[] = {
      {"--dropout: 1 ", [](TrainingOptions& o) { o.dropout = 1; }},
      {"--dropout: -0.1 ", [](TrainingOptions& o) { o.dropout = -0.1; }},
      {"--dropout: nan ", [](TrainingOptions& o) { o.dropout = kNan; }},
      {"--label-smoothing: 1 ", [](TrainingOptions& o) { o.label_smoothing = 1; }},
      {"--label-smoothing: -1 ", [](TrainingOptions& o) { o.label_smoothing = -1; }},
      {"--warmup: 0 ", [](TrainingOptions& o) { o.learning_rate.warmup_steps = 0; }},
      {"--learning-rate-scale: 0 ", [](TrainingOptions& o) { o.learning_rate.scale = 0; }},
      {"--learning-rate-scale: inf ", [](TrainingOptions& o) { o.learning_rate.scale = kInfinity; }},
      {"--adam-beta1: 1 ", [](TrainingOptions& o) { o.adam.beta_1 = 1; }},
      {"--adam-beta2: -0.5 ", [](TrainingOptions& o) { o.adam.beta_2 = -0.5; }},
      {"--adam-epsilon: 0 ", [](TrainingOptions& o) { o.adam.epsilon = 0; }},
      {"--clip-norm: -1 ", [](TrainingOptions& o) { o.clip_norm = -1; }},
      {"--clip-norm: inf ", [](TrainingOptions& o) { o.clip_norm = kInfinity; }},
  };
  EXPECT_NO_THROW(tiny_options(0).validate());
  for (const BadOption& bad : bad_options) {
    TrainingOptions options = tiny_options(0);
    bad.set(options);
    const std::string message = thrown_message<std::runtime_error>([&] { options.validate(); });
    EXPECT_EQ(message.rfind(bad.name, 0), 0u) << bad.name << " but: " << message;
    EXPECT_NE(message.find("(hint: "), std::string::npos) << message;
  }
}

TEST(TrainingOptions, AreCheckedAsTheNumbersThatAreComputedWith) {
  if (sizeof(Real) > 4) GTEST_SKIP() << "double holds them";
  TrainingOptions all = tiny_options(0), no_epsilon = tiny_options(0);
  all.dropout = 0.99999999;  // 1 in float
  no_epsilon.adam.epsilon = 1e-50;
  EXPECT_THROW(all.validate(), std::runtime_error);
  EXPECT_THROW(no_epsilon.validate(), std::runtime_error);
}

TEST(Trainer, RefusesOptionsThatDoNotFit) {
  Transformer model(tiny_config(), 1);
  EXPECT_THROW(Trainer(model, tiny_options(1)), std::runtime_error);
}

}  // namespace
}  // namespace plainformer
