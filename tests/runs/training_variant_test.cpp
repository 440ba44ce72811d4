// Training steps whose parts are others than the paper's.
#include "runs/training_variant.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "ops/sum_of_squares.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

TrainSettings settings_with(double dropout) {
  TrainSettings settings;
  settings.training = tiny_options(dropout);
  return settings;
}

// Trains the model as these settings say.
StepwiseTraining training_of(Transformer& model, const TrainSettings& settings) {
  TrainingVariant variant = training_variant(model, settings);
  StepwiseTraining training(model, settings.training);
  training.passes = std::move(variant.passes);
  training.loss = std::move(variant.loss);
  return training;
}

StepReport first_step(const TrainSettings& settings, const std::vector<TranslationBatch>& batches) {
  Transformer model(tiny_config(), 1);
  return training_of(model, settings).step(batches);
}

TEST(TrainingVariant, IsThePapersUnlessTheSettingsSayMore) {
  Transformer model(tiny_config(), 1), same_model(tiny_config(), 1);
  StepwiseTraining paper(model, tiny_options(0.3)), variant = training_of(same_model, settings_with(0.3));
  for (int step = 0; step < 3; ++step) {
    paper.step({tiny_batch()});
    variant.step({tiny_batch()});
  }
  EXPECT_TRUE(same_bits(weights(same_model), weights(model)));
}

TEST(TrainingVariant, RecomputingChangesNoBit) {
  Transformer model(tiny_config(), 1), same_model(tiny_config(), 1);
  TrainSettings settings = settings_with(0.3);
  StepwiseTraining keeping = training_of(model, settings);
  settings.recompute = true;
  StepwiseTraining recomputing = training_of(same_model, settings);
  for (int step = 0; step < 5; ++step) {
    const StepReport expected = keeping.step({tiny_batch(), tiny_batch()});
    EXPECT_EQ(recomputing.step({tiny_batch(), tiny_batch()}).grad_norm, expected.grad_norm);
  }
  EXPECT_TRUE(same_bits(weights(same_model), weights(model)));
  EXPECT_TRUE(same_bits(recomputing.adam.second_moments(), keeping.adam.second_moments()));
}

TEST(TrainingVariant, NamesTheWholeLayerThatIsNotFiniteWhereLayersAreRecomputed) {
  Transformer model(tiny_config(), 1);
  TrainSettings settings = settings_with(0);
  settings.recompute = true;
  model.decoder.layers[0].self_attention.w_v.value.mutable_data()[0] = std::numeric_limits<Real>::infinity();
  EXPECT_EQ(training_of(model, settings).step({tiny_batch()}).not_finite,
            "the output of decoder.0.feed_forward_norm");
}

ModelConfig deep_config() {
  ModelConfig config = tiny_config();
  config.encoder_layers = 3;
  config.decoder_layers = 2;
  return config;
}

TEST(TrainingVariant, OnlyLayersThatLayerDropLeftHaveGradients) {
  Transformer model(deep_config(), 1);
  TrainSettings settings = settings_with(0.1);
  settings.layer_drop = 0.5;
  std::set<int> numbers;  // of layers with gradients, in single steps
  for (settings.training.seed = 1; settings.training.seed <= 12; ++settings.training.seed) {
    EXPECT_FALSE(training_of(model, settings).step({tiny_batch()}).skipped());
    int trained = 0;
    for (EncoderLayer& layer : model.encoder.layers)
      trained += sum_of_squares(layer.feed_forward.w_2.grad) > 0;
    for (DecoderLayer& layer : model.decoder.layers)
      trained += sum_of_squares(layer.feed_forward.w_2.grad) > 0;
    numbers.insert(trained);
  }
  EXPECT_GT(numbers.size(), 2u);
  EXPECT_GE(*numbers.begin(), 2) << "one layer of each stack stays";
}

TEST(TrainingVariant, AllLayersAreBackAfterAStepThatIsNotFinite) {
  Transformer model(deep_config(), 1);
  TrainSettings settings = settings_with(0);
  settings.layer_drop = 0.9;
  model.embedding.value.mutable_data()[4 * 8] = std::numeric_limits<Real>::infinity();
  StepwiseTraining training = training_of(model, settings);
  EXPECT_EQ(training.step({tiny_batch()}).not_finite,
            "the embedding of the source (numbered among the layers that layer drop kept)");
  EXPECT_EQ(model.encoder.layers.size(), 3u);
  EXPECT_EQ(model.decoder.layers.size(), 2u);
}

// Without dropout the two passes are equal.
TEST(TrainingVariant, RDropChangesATrainingOnlyThroughDropout) {
  const auto weights_after = [](double dropout, double alpha) {
    Transformer model(tiny_config(), 1);
    TrainSettings settings = settings_with(dropout);
    settings.r_drop = alpha;
    EXPECT_EQ(training_of(model, settings).step({tiny_batch()}).target_tokens, 14);
    return weights(model);
  };
  const auto largest_difference = [](const std::vector<Tensor>& x, const std::vector<Tensor>& y) {
    double largest = 0;
    for (std::size_t t = 0; t < x.size(); ++t) {
      for (Index i = 0; i < x[t].size(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(x[t].data()[i] - y[t].data()[i])));
    }
    return largest;
  };
  EXPECT_LT(largest_difference(weights_after(0, 5), weights_after(0, 0.01)), 1e-5);
  EXPECT_GT(largest_difference(weights_after(0.3, 5), weights_after(0.3, 0.01)), 1e-3);
}

// The penalty is a mean over both passes, like the loss.
TEST(TrainingVariant, ThePenaltyOnAttentionWeightsIsThatOfOnePass) {
  TrainSettings settings = settings_with(/*dropout=*/0);
  settings.attention_penalty = 50;
  const double norm = first_step(settings, {tiny_batch()}).grad_norm;
  settings.r_drop = 1e-9;
  EXPECT_NEAR(first_step(settings, {tiny_batch()}).grad_norm, norm, 1e-4 * norm);
}

// It is a mean over the tokens of the step, and rows of padding cost nothing.
TEST(TrainingVariant, ThePenaltyDoesNotDependOnTheBatchesOfAStep) {
  TrainSettings settings = settings_with(/*dropout=*/0);
  const double without = first_step(settings, {tiny_batch()}).grad_norm;
  settings.attention_penalty = 50;
  std::vector<TranslationBatch> unpadded;
  for (std::size_t i = 0; i < tiny_sources().size(); ++i)
    unpadded.push_back(TranslationBatch::from({tiny_sources()[i]}, {tiny_targets()[i]}));
  const double norm = first_step(settings, unpadded).grad_norm;
  EXPECT_NEAR(first_step(settings, {tiny_batch()}).grad_norm, norm, 1e-5 * norm);
  EXPECT_GT(std::fabs(norm - without), 1e-3 * norm);
}

}  // namespace
}  // namespace plainformer
