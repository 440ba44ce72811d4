#include "transformer/transformer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/storage.h"
#include "support/gradient_check.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

TEST(Transformer, TheSameSeedGivesTheSameWeights) {
  Transformer model(small_config(), 1), twin(small_config(), 1), stranger(small_config(), 2);
  const ParameterList own = model.parameters(), twins = twin.parameters(), strangers = stranger.parameters();
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_TRUE(same_bits(own[i].parameter->value, twins[i].parameter->value)) << own[i].name;
    if (own[i].parameter->value.rank() == 2) {
      EXPECT_FALSE(same_bits(own[i].parameter->value, strangers[i].parameter->value)) << own[i].name;
    }
  }
}

double variance(const Tensor& x) {
  const double mean = dot(x, Tensor::filled(x.shape(), 1)) / static_cast<double>(x.size());
  return dot(x, x) / static_cast<double>(x.size()) - mean * mean;
}

TEST(Transformer, WeightsStartAsDocumented) {
  const ModelConfig config = {
      .d_model = 64, .d_ff = 256, .heads = 4, .encoder_layers = 1, .decoder_layers = 1, .vocab = 1000};
  Transformer model(config, 1);
  // Relative standard deviation of a variance estimated from n values: sqrt(2 / n) or less; five of them.
  const auto tolerance = [](const Tensor& x) { return 5 * std::sqrt(2.0 / static_cast<double>(x.size())); };
  for (const NamedParameter& p : model.parameters()) {
    const Tensor& value = p.parameter->value;
    if (p.name == "embedding") {
      EXPECT_NEAR(variance(value) * 64, 1, tolerance(value));
    } else if (value.rank() == 2) {  // uniform within 1 / sqrt(in): of variance 1 / (3 in)
      const double in = static_cast<double>(value.dim(0)), bound = 1 / std::sqrt(in);
      EXPECT_NEAR(variance(value) * 3 * in, 1, tolerance(value)) << p.name;
      for (double w : values(value)) ASSERT_LE(std::abs(w), bound) << p.name;
    } else {
      const bool is_gain = p.name.ends_with(".gain");
      for (double v : values(value)) ASSERT_EQ(v, is_gain ? 1 : 0) << p.name;
    }
    EXPECT_TRUE(p.parameter->grad.empty()) << p.name;
  }
}

TEST(Transformer, ListsEveryParameterOnceUnderItsPublicName) {
  std::vector<std::string> expected = {"embedding"};
  const auto add = [&](const std::string& prefix, const std::vector<const char*>& names) {
    for (const char* name : names) expected.push_back(prefix + name);
  };
  const std::vector<const char*> attention = {".w_q", ".w_k", ".w_v", ".w_o", "_norm.gain", "_norm.bias"};
  const std::vector<const char*> network = {".w_1", ".b_1", ".w_2", ".b_2", "_norm.gain", "_norm.bias"};
  for (const char* layer : {"encoder.0.", "encoder.1."}) {
    add(std::string(layer) + "self_attention", attention);
    add(std::string(layer) + "feed_forward", network);
  }
  for (const char* layer : {"decoder.0.", "decoder.1."}) {
    add(std::string(layer) + "self_attention", attention);
    add(std::string(layer) + "encoder_decoder_attention", attention);
    add(std::string(layer) + "feed_forward", network);
  }

  Transformer model(small_config(), 1);
  std::vector<std::string> names;
  std::vector<const Parameter*> distinct;
  for (const NamedParameter& p : model.parameters()) {
    names.push_back(p.name);
    distinct.push_back(p.parameter);
  }
  EXPECT_EQ(names, expected);
  std::sort(distinct.begin(), distinct.end());
  EXPECT_EQ(std::unique(distinct.begin(), distinct.end()), distinct.end());
}

TEST(Transformer, ASteadyTrainingStepAllocatesNothing) {
  Transformer model(small_config(), 1);
  for (int warm_up = 0; warm_up < 2; ++warm_up) backpropagate(model, small_batch(), dropout_of(0.1));
  const std::uint64_t before = storage_statistics().system_allocations;
  for (int step = 0; step < 5; ++step) backpropagate(model, small_batch(), dropout_of(0.1));
  EXPECT_EQ(storage_statistics().system_allocations, before);
}

// Inference computes what training does, and keeps none of it.
TEST(Transformer, EncodesAndDecodesWithTheBitsOfForward) {
  Transformer model(small_config(), 1);
  randomize(model.parameters(), 10);
  const TranslationBatch batch = small_batch();
  Transformer::Cache cache;
  const Tensor expected = model.forward(batch.source, batch.target_input, dropout_of(0), cache);
  const std::uint64_t before = storage_statistics().used_bytes;
  const Tensor memory = model.encode(batch.source);
  EXPECT_TRUE(same_bits(memory, cache.decoder.layers[0].encoder_decoder_attention.key_input));
  const Tensor output = model.decode(batch.target_input, memory, batch.source.lengths);
  EXPECT_TRUE(same_bits(output, expected));
  EXPECT_EQ(storage_statistics().used_bytes - before, (memory.size() + output.size()) * sizeof(Real));
}

TEST(Transformer, RefusesAConfigurationThatDoesNotFit) {
  ModelConfig config = small_config();
  config.heads = 4;
  EXPECT_THROW(Transformer(config, 1), std::runtime_error);
}

TEST(Transformer, RefusesWordsAndLengthsBeyondItsConfiguration) {
  const Transformer model(small_config(), 1);
  Transformer::Cache cache;
  const TokenBatch fine = TokenBatch::from({{4, 5}}), unknown = TokenBatch::from({{13}});
  const TokenBatch too_long = TokenBatch::from({std::vector<int>(17, 4)});
  EXPECT_NO_THROW(model.forward(fine, fine, dropout_of(0), cache));
  EXPECT_THROW(model.forward(unknown, fine, dropout_of(0), cache), std::logic_error);
  EXPECT_THROW(model.forward(fine, too_long, dropout_of(0), cache), std::logic_error);
}

// Which elements a dropout keeps, as ones and zeros.
Tensor kept_elements(const Tensor& dropped) {
  Tensor kept(dropped.shape());
  for (Index i = 0; i < kept.size(); ++i) kept.mutable_data()[i] = dropped.data()[i] != 0;
  return kept;
}

// What a residual dropout keeps of a sub-layer's output.
Tensor kept_elements(const ResidualLayerNorm& norm, const Shape& shape) {
  ResidualLayerNorm::Cache cache;
  norm.forward(Tensor::zeros(shape), Tensor::filled(shape, 1), dropout_of(0.3), cache);
  return kept_elements(cache.norm.x);
}

TEST(Transformer, EveryDropoutDrawsItsOwnNumbers) {
  const Transformer model(small_config(), 1);
  const TokenBatch tokens = TokenBatch::from({{4, 5, 6, 7, 8}, {9, 10, 11, 12, 4}});  // no padding
  Transformer::Cache cache;
  model.forward(tokens, tokens, dropout_of(0.3), cache);
  // No embedding plus position is exactly 0, so the stacks' inputs show what their dropout kept.
  std::vector<Tensor> patterns = {kept_elements(cache.encoder.layers[0].self_attention.query_input),
                                  kept_elements(cache.decoder.layers[0].self_attention.query_input)};
  const Shape shape = patterns[0].shape();
  for (const EncoderLayer& layer : model.encoder.layers)
    for (const ResidualLayerNorm* norm : {&layer.self_attention_norm, &layer.feed_forward_norm})
      patterns.push_back(kept_elements(*norm, shape));
  for (const DecoderLayer& layer : model.decoder.layers)
    for (const ResidualLayerNorm* norm :
         {&layer.self_attention_norm, &layer.encoder_decoder_attention_norm, &layer.feed_forward_norm})
      patterns.push_back(kept_elements(*norm, shape));
  ASSERT_EQ(patterns.size(), 2u + 2 * 2 + 2 * 3);
  for (std::size_t i = 0; i < patterns.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(same_bits(patterns[i], patterns[j])) << i << " and " << j;
}

TEST(Transformer, LearnedPositionsAreOneMoreParameterAndChangeNoOther) {
  ModelConfig config = small_config();
  Transformer sines(config, 1);
  config.positions = Positions::kLearned;
  Transformer learned(config, 1);
  const ParameterList expected = sines.parameters(), actual = learned.parameters();
  ASSERT_EQ(actual.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(actual[i].name, expected[i].name);
    EXPECT_TRUE(same_bits(actual[i].parameter->value, expected[i].parameter->value)) << actual[i].name;
  }
  EXPECT_EQ(actual.back().name, "position_embedding");
  const Tensor& table = actual.back().parameter->value;
  EXPECT_EQ(table.shape(), (Shape{16, 6}));
}

TEST(Transformer, LearnedPositionsStartWithTheVarianceOfTheSines) {
  ModelConfig config = small_config_with_learned_positions();
  config.d_model = 60;
  config.max_length = 256;
  const Transformer model(config, 1);
  const Tensor& table = model.positions.table.value;
  EXPECT_NEAR(variance(table) * 2, 1, 5 * std::sqrt(2.0 / (60 * 256)));  // as in WeightsStartAsDocumented
}

// The whole model: every element of every parameter, with padding in source and target and smoothed targets.
void check_gradients(const DropoutState& dropout, const ModelConfig& config = small_config()) {
  Transformer model(config, 1);
  randomize(model.parameters(), 10);
  backpropagate(model, small_batch(), dropout);
  EXPECT_TRUE(gradients_agree([&] { return loss_of(model, small_batch(), dropout); },
                              checked_tensors(model.parameters())));
}

GRADIENT_TEST(Transformer, Gradient) {
  check_gradients(dropout_of(0.3));
}
GRADIENT_TEST(Transformer, GradientWithLearnedPositions) {
  check_gradients(dropout_of(0.3), small_config_with_learned_positions());
}
GRADIENT_TEST(Transformer, GradientWithWidthsOfTheHeadsOwn) {
  ModelConfig config = small_config();
  config.d_k = 2;
  config.d_v = 5;
  check_gradients(dropout_of(0), config);
}

}  // namespace
}  // namespace plainformer
