// 5 Training: one step of the loop.
#include "training/training_loop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "ops/reductions.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

double norm(const std::vector<Tensor>& tensors) {
  double squares = 0;
  for (const Tensor& t : tensors) squares += sum_of_squares(t);
  return std::sqrt(squares);
}

TEST(TrainingLoop, TheLossFallsUntilTheBatchIsKnown) {
  Transformer model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0);
  options.label_smoothing = 0;
  StepwiseTraining training(model, options);
  const double first = training.step({tiny_batch()}).loss;
  double last = first;
  for (int step = 0; step < 120; ++step) last = training.step({tiny_batch()}).loss;
  EXPECT_NEAR(first, std::log(11.0), 1.0);
  EXPECT_LT(last, 0.1);
  EXPECT_EQ(training.adam.steps(), 121);
}

TEST(TrainingLoop, ReportsTokensWithTheirEndAndTheRateOfTheStep) {
  Transformer model(tiny_config(), 1);
  const TrainingOptions options = tiny_options(0);
  StepwiseTraining training(model, options);
  const StepReport first = training.step({tiny_batch()});
  EXPECT_EQ(first.source_tokens, 3 + 2 + 4 + 1 + 4);
  EXPECT_EQ(first.target_tokens, 3 + 2 + 4 + 1 + 4);
  EXPECT_DOUBLE_EQ(first.learning_rate, options.learning_rate.at(1));
  EXPECT_DOUBLE_EQ(training.step({tiny_batch()}).learning_rate, options.learning_rate.at(2));
  EXPECT_FALSE(first.skipped());
}

TEST(TrainingLoop, TwoHalfBatchesAreOneBatch) {
  Transformer whole_model(tiny_config(), 1), halves_model(tiny_config(), 1);
  StepwiseTraining whole(whole_model, tiny_options(0)), halves(halves_model, tiny_options(0));
  const auto sources = tiny_sources(), targets = tiny_targets();
  const StepReport one = whole.step({tiny_batch()});
  const StepReport two =
      halves.step({TranslationBatch::from({sources[0], sources[1]}, {targets[0], targets[1]}),
                   TranslationBatch::from({sources[2], sources[3]}, {targets[2], targets[3]})});

  EXPECT_NEAR(two.loss, one.loss, 1e-6);
  EXPECT_NEAR(two.log_probability, one.log_probability, 1e-6);
  EXPECT_GT(one.grad_norm, 0);
  EXPECT_NEAR(two.grad_norm, one.grad_norm, 1e-5);
  EXPECT_EQ(two.target_tokens, one.target_tokens);
  EXPECT_EQ(halves.adam.steps(), 1);
  const ParameterList expected = whole_model.parameters(), actual = halves_model.parameters();
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(near(actual[i].parameter->grad, expected[i].parameter->grad, 1e-6)) << expected[i].name;
}

// The first moments are (1 - 0.9) times the gradient that Adam was given.
TEST(TrainingLoop, ClippingScalesALongGradientDownToTheNorm) {
  Transformer model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0);
  options.clip_norm = 0.25;
  StepwiseTraining training(model, options);
  const StepReport report = training.step({tiny_batch()});
  EXPECT_GT(report.grad_norm, 0.25);
  EXPECT_NEAR(norm(training.adam.first_moments()), 0.1 * 0.25, 1e-6);
}

TEST(TrainingLoop, ClippingLeavesAShortGradientAlone) {
  Transformer clipped_model(tiny_config(), 1), plain_model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0);
  StepwiseTraining plain(plain_model, options);
  options.clip_norm = 1000;
  StepwiseTraining clipped(clipped_model, options);
  const double grad_norm = plain.step({tiny_batch()}).grad_norm;
  clipped.step({tiny_batch()});
  EXPECT_TRUE(same_bits(weights(clipped_model), weights(plain_model)));
  EXPECT_NEAR(norm(plain.adam.first_moments()), 0.1 * grad_norm, 1e-6);
}

TEST(TrainingLoop, AStepThatIsNotFiniteChangesNothing) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining training(model, tiny_options(0.1));
  training.step({tiny_batch()});
  model.encoder.layers[0].feed_forward.w_1.value.mutable_data()[5] = std::numeric_limits<Real>::infinity();
  const auto before = weights(model);
  const auto first_moments = training.adam.first_moments(), second_moments = training.adam.second_moments();

  const StepReport report = training.step({tiny_batch()});
  EXPECT_TRUE(report.skipped());
  EXPECT_FALSE(std::isfinite(report.loss));
  EXPECT_TRUE(same_bits(weights(model), before));
  EXPECT_TRUE(same_bits(training.adam.first_moments(), first_moments));
  EXPECT_TRUE(same_bits(training.adam.second_moments(), second_moments));
  EXPECT_EQ(training.adam.steps(), 1);
  EXPECT_EQ(training.progress.attempts, 2);
}

// --- many steps

TEST(Epochs, BeginAnewAfterTheEndOfOne) {
  std::vector<Index> begun;
  TrainingProgress progress;
  const Index first = progress.epoch;
  const BatchSource source = {.begin_epoch = [&](Index epoch) { return begun.push_back(epoch), Index{1}; },
                              .batch = [](Index) { return TranslationBatch::from({{5}}, {{6}}); }};
  Epochs epochs(source, progress);
  epochs.next(1);
  epochs.end();
  epochs.next(1);
  EXPECT_EQ(begun, (std::vector<Index>{first, first + 1}));
}

// Epochs of five batches of one pair each, other ones in each epoch. Records which batches are taken.
struct FiveBatches {
  std::string order;  // such as "0.3 " for the fourth batch of epoch 0

  BatchSource source() {
    return {.begin_epoch =
                [this](Index next_epoch) {
                  epoch_ = next_epoch;
                  return 5;
                },
            .batch =
                [this](Index index) {
                  order += std::to_string(epoch_) + "." + std::to_string(index) + " ";
                  const int token = static_cast<int>(4 + (index + epoch_) % 5);
                  return TranslationBatch::from({{token, token + 1}}, {{token + 1, token}});
                }};
  }

 private:
  Index epoch_ = 0;
};

TEST(TrainingLoop, TakesEachBatchOfAnEpochOnceAndThenBeginsTheNext) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining run(model, tiny_options(0.1));
  run.options.accumulate = 2;
  run.options.steps = 4;
  FiveBatches batches;
  train(model, run.adam, run.progress, run.options, batches.source(), {});
  EXPECT_EQ(batches.order, "0.0 0.1 0.2 0.3 0.4 1.0 1.1 ");  // the epoch's last step is of one batch
  EXPECT_EQ(run.progress.epoch, 1);
  EXPECT_EQ(run.progress.batch, 2);
  EXPECT_EQ(run.progress.attempts, 4);

  run.options.steps = 6;
  train(model, run.adam, run.progress, run.options, batches.source(), {});
  EXPECT_EQ(run.progress.epoch, 2) << "an epoch is complete with its last batch";
  EXPECT_EQ(run.progress.batch, 0);
}

TEST(TrainingLoop, ReportsThenValidatesThenSaves) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining run(model, tiny_options(0.1));
  run.options.validate_every = 2;
  run.options.checkpoint_every = 3;
  run.options.steps = 6;
  std::string calls;
  const TrainingHooks hooks = {
      .stop = [] { return false; },
      .after_step = [&](const StepReport&) { calls += " " + std::to_string(run.adam.steps()); },
      .validate = [&] { calls += " validate"; },
      .save_checkpoint = [&] { calls += " save"; }};
  FiveBatches batches;
  train(model, run.adam, run.progress, run.options, batches.source(), hooks);
  EXPECT_EQ(calls, " 1 2 validate 3 save 4 validate 5 6 validate save");
}

TEST(TrainingLoop, NeitherValidatesNorSavesAfterASkippedStep) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining run(model, tiny_options(0.1));
  run.options.validate_every = run.options.checkpoint_every = 1;
  model.embedding.value.mutable_data()[0] = std::numeric_limits<Real>::infinity();
  std::string calls;
  const TrainingHooks hooks = {.stop = [&] { return run.progress.attempts == 3; },
                               .after_step = [&](const StepReport& r) { calls += r.skipped() ? "x" : "s"; },
                               .validate = [&] { calls += "v"; },
                               .save_checkpoint = [&] { calls += "c"; }};
  FiveBatches batches;
  train(model, run.adam, run.progress, run.options, batches.source(), hooks);
  EXPECT_EQ(calls, "xxx");
  EXPECT_EQ(run.adam.steps(), 0);
}

// Wherever the run stops: within an epoch or at its end.
TEST(TrainingLoop, ContinuesWithTheSameBatchesAndTheSameBits) {
  Transformer whole_model(tiny_config(), 1);
  StepwiseTraining whole(whole_model, tiny_options(0.3));
  FiveBatches whole_batches;
  whole.options.steps = 12;
  train(whole_model, whole.adam, whole.progress, whole.options, whole_batches.source(), {});

  for (Index first_steps : {3, 5, 10}) {
    Transformer model(tiny_config(), 1);
    StepwiseTraining parts(model, tiny_options(0.3));
    FiveBatches batches;
    for (Index steps : {first_steps, Index{12}}) {
      parts.options.steps = steps;
      train(model, parts.adam, parts.progress, parts.options, batches.source(), {});
    }
    EXPECT_EQ(batches.order, whole_batches.order);
    EXPECT_TRUE(same_bits(weights(model), weights(whole_model)));
  }
}

// Such a checkpoint says that all batches are used. A run that continues from it begins the next epoch.
TEST(TrainingLoop, ContinuesFromACheckpointOfAnEpochsLastStep) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining run(model, tiny_options(0.1));
  run.options.steps = run.options.checkpoint_every = 5;
  TrainingProgress saved;
  TrainingHooks hooks;
  hooks.save_checkpoint = [&] { saved = run.progress; };
  FiveBatches batches;
  train(model, run.adam, run.progress, run.options, batches.source(), hooks);
  EXPECT_EQ(saved.epoch, 0);
  EXPECT_EQ(saved.batch, 5);

  run.options.steps = 6;
  FiveBatches more;
  train(model, run.adam, saved, run.options, more.source(), {});
  EXPECT_EQ(more.order, "1.0 ");
}

TEST(TrainingLoop, RefusesAnEpochWithoutBatches) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining run(model, tiny_options(0.1));
  const BatchSource nothing = {.begin_epoch = [](Index) { return 0; },
                               .batch = [](Index) { return TranslationBatch(); }};
  EXPECT_THROW(train(model, run.adam, run.progress, run.options, nothing, {}), std::logic_error);
}

TEST(Evaluate, HasNoDropoutAndChangesNothing) {
  Transformer model(tiny_config(), 1);
  const auto before = weights(model);
  const CrossEntropy sums = evaluate(model, tiny_batch(), 0.1);
  EXPECT_EQ(sums.loss, evaluate(model, tiny_batch(), 0.1).loss);
  EXPECT_EQ(sums.rows, 14);
  EXPECT_TRUE(same_bits(weights(model), before));

  const StepReport without_dropout = StepwiseTraining(model, tiny_options(0)).step({tiny_batch()});
  EXPECT_NEAR(sums.loss / 14, without_dropout.loss, 1e-9);
  EXPECT_NEAR(sums.log_probability / 14, without_dropout.log_probability, 1e-9);
}

TEST(TrainingLoop, DropoutDependsOnTheSeedAndChangesFromStepToStep) {
  const auto losses = [](std::uint64_t seed) {
    Transformer model(tiny_config(), 1);
    TrainingOptions options = tiny_options(0.5);
    options.learning_rate.scale = 1e-30;  // so that only the masks change
    options.seed = seed;
    StepwiseTraining training(model, options);
    const double first = training.step({tiny_batch()}).loss;
    return std::pair(first, training.step({tiny_batch()}).loss);
  };
  EXPECT_EQ(losses(1), losses(1));
  EXPECT_NE(losses(1).first, losses(2).first);
  EXPECT_NE(losses(1).first, losses(1).second);
}

// A model from outside, which predicts a token from the source's token at the same position: any class can be
// trained. It writes down what the loop asks of it.
struct TableModel {
  struct Cache {
    TokenBatch source;
  };

  Tensor forward(const TokenBatch& source, const TokenBatch&, const DropoutState& dropout, Cache& cache) {
    calls += " forward" + std::to_string(dropout.attempt) + std::to_string(dropout.batch);
    cache.source = source;
    return embedding_forward(source, table);
  }

  CrossEntropy loss_forward_backward(Real grad_loss, const Tensor& output, const TranslationBatch& batch,
                                     double smoothing, Tensor& grad_output) {
    calls += " loss" + std::to_string(std::lround(1 / grad_loss));
    return projected_cross_entropy_forward_backward(grad_loss, output, table, batch.targets(), smoothing,
                                                    grad_output);
  }

  void backward(const Tensor& grad_output, const Cache& cache) {
    calls += " backward";
    embedding_backward(grad_output, cache.source, table);
  }

  ParameterList parameters() { return {{"table", &table}}; }

  Parameter table = random_parameter({11, 8}, 1);
  std::string calls;
};

TEST(TrainingLoop, TrainsAnyModelThatKeepsTheContract) {
  TableModel model;
  StepwiseTraining training(model, tiny_options(0));
  training.options.learning_rate.scale = 3;
  const StepReport first = training.step({tiny_batch(), tiny_batch()});
  EXPECT_EQ(model.calls, " forward00 loss28 backward forward01 loss28 backward");
  double last = first.loss;
  for (int step = 0; step < 200; ++step) last = training.step({tiny_batch()}).loss;
  EXPECT_LT(last, first.loss / 2);
}

TEST(TrainingLoop, TheAttemptAfterASkippedStepHasOtherDropoutMasks) {
  TableModel model;
  model.table.value.mutable_data()[4 * 8] = std::numeric_limits<Real>::quiet_NaN();
  StepwiseTraining training(model, tiny_options(0.5));
  for (int step = 0; step < 2; ++step)
    EXPECT_EQ(training.step({tiny_batch(), tiny_batch()}).not_finite, "the loss");
  EXPECT_EQ(model.calls,
            " forward00 loss28 backward forward01 loss28 backward"
            " forward10 loss28 backward forward11 loss28 backward");
  EXPECT_EQ(training.adam.steps(), 0);
}

TEST(TrainingLoop, AGradientThatIsNotFiniteChangesNothing) {
  struct : TableModel {
    void backward(const Tensor&, const Cache&) {
      table.mutable_grad().mutable_data()[3] = std::numeric_limits<Real>::infinity();
    }
  } model;
  const Tensor before = model.table.value;
  StepwiseTraining training(model, tiny_options(0));
  EXPECT_EQ(training.step({tiny_batch()}).not_finite, "the gradient");
  EXPECT_TRUE(same_bits(model.table.value, before));
  EXPECT_EQ(training.adam.steps(), 0);
}

TEST(TrainingLoop, RefusesOptionsThatDoNotFit) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining all_dropped(model, tiny_options(1)), no_batch(model, tiny_options(0));
  EXPECT_THROW(all_dropped.step({tiny_batch()}), std::runtime_error);
  EXPECT_THROW(no_batch.step({}), std::runtime_error);
}

}  // namespace
}  // namespace plainformer
