#include "transformer/initialize.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/small_model.h"

namespace plainformer {
namespace {

struct Moments {
  double mean = 0, variance = 0, largest = 0;
};

Moments moments(const Tensor& x) {
  Moments result;
  const double n = static_cast<double>(x.size());
  for (const double value : values(x)) {
    result.mean += value / n;
    result.variance += value * value / n;
    result.largest = std::max(result.largest, std::abs(value));
  }
  return result;
}

// The parameters of one list, from one seed.
struct Weights {
  Parameter embedding{Tensor::zeros({300, 64})}, position_embedding{Tensor::zeros({200, 64})};
  Parameter w{Tensor::zeros({100, 70})}, gain{Tensor::filled({50}, 1)};

  explicit Weights(std::uint64_t seed) {
    initialize(
        {{"my.tokens", &embedding}, {"my.positions", &position_embedding}, {"my.w", &w}, {"my.gain", &gain}},
        seed, {token_table(embedding), position_table(position_embedding)});
  }
};

TEST(Initialize, DrawsEachKindOfMatrixFromItsDistribution) {
  const Weights weights(1);
  EXPECT_NEAR(moments(weights.embedding.value).mean, 0, 0.005);
  EXPECT_NEAR(moments(weights.embedding.value).variance * 64, 1, 0.05);
  EXPECT_GT(moments(weights.embedding.value).largest * 8, 3);  // a normal distribution has no bound
  EXPECT_NEAR(moments(weights.position_embedding.value).variance, 0.5, 0.03);
  EXPECT_NEAR(moments(weights.w.value).variance * 100, 1.0 / 3, 0.02);  // uniform within b: b^2 / 3
  EXPECT_LE(moments(weights.w.value).largest, 0.1);
  EXPECT_GT(moments(weights.w.value).largest, 0.099);
}

TEST(Initialize, KeepsVectors) {
  EXPECT_TRUE(same_bits(Weights(1).gain.value, Tensor::filled({50}, 1)));
}

TEST(Initialize, DependsOnTheSeedAlone) {
  EXPECT_TRUE(same_bits(Weights(1).w.value, Weights(1).w.value));
  EXPECT_FALSE(same_bits(Weights(1).w.value, Weights(2).w.value));
}

TEST(Initialize, GivesATransformerItsWeights) {
  Transformer model(small_config(), /*seed=*/5), zeroed(small_config(), /*seed=*/6);
  initialize(zeroed.parameters(), /*seed=*/5, {token_table(zeroed.embedding)});
  const ParameterList expected = model.parameters(), actual = zeroed.parameters();
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(same_bits(actual[i].parameter->value, expected[i].parameter->value)) << expected[i].name;
}

}  // namespace
}  // namespace plainformer
