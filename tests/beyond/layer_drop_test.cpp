// LayerDrop: training with some of the layers.
#include "beyond/layer_drop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "training/tiny_training.h"

namespace plainformer {
namespace {

ModelConfig deep_config() {
  ModelConfig config = tiny_config();
  config.encoder_layers = 3;
  config.decoder_layers = 2;
  return config;
}

DropoutState attempt(Index number) {
  return {.seed = 1, .attempt = number};
}

TEST(LayerDrop, PutsTheLayersBackWhereTheyWere) {
  Transformer model(deep_config(), 1);
  const ParameterList before = model.parameters();
  const std::vector<Tensor> values = weights(model);
  for (Index i = 0; i < 20; ++i) ShallowerModel(model, 0.5, attempt(i));
  const ParameterList after = model.parameters();
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].name, before[i].name);
    EXPECT_EQ(after[i].parameter, before[i].parameter) << "pointers to parameters stay good";
  }
  EXPECT_TRUE(same_bits(weights(model), values));
}

TEST(LayerDrop, LeavesOutEachLayerWithItsProbabilityButNeverAll) {
  Transformer model(deep_config(), 1);
  const double p = 0.4;
  const int count = 4000;
  Index encoder_layers = 0;
  std::set<std::size_t> sizes;
  for (Index i = 0; i < count; ++i) {
    const ShallowerModel shallower(model, p, attempt(i));
    encoder_layers += std::ssize(model.encoder.layers);
    sizes.insert(model.decoder.layers.size());
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{1, 2}));
  // Three layers stay with 1 - p each, and one more where all three would have gone.
  const double expected = 3 * (1 - p) + p * p * p;
  EXPECT_NEAR(static_cast<double>(encoder_layers) / count, expected, 4 * std::sqrt(3 * p * (1 - p) / count));
}

TEST(LayerDrop, OfZeroLeavesOutNothing) {
  Transformer model(deep_config(), 1);
  for (Index i = 0; i < 100; ++i) {
    const ShallowerModel all(model, 0, attempt(i));
    EXPECT_EQ(model.encoder.layers.size(), 3u);
    EXPECT_EQ(model.decoder.layers.size(), 2u);
  }
}

}  // namespace
}  // namespace plainformer
