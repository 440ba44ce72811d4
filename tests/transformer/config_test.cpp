#include "transformer/config.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

ModelConfig base() {
  ModelConfig config;
  config.vocab = 37'000;
  return config;
}

std::string complaint(const std::function<void(ModelConfig&)>& change) {
  ModelConfig config = base();
  change(config);
  return error_of([&] { config.check("model.safetensors"); });
}

TEST(ModelConfig, NamesThePlaceTheValueAndAWayOut) {
  EXPECT_EQ(complaint([](ModelConfig& c) { c.heads = 7; }),
            "model.safetensors: 7 heads do not divide d_model 512 (hint: each head gets d_model / heads "
            "columns, so choose a divisor, or give d_k and d_v)");
  EXPECT_EQ(complaint([](ModelConfig& c) { c.d_ff = 0; }),
            "model.safetensors: d_ff: 0 is out of range (hint: choose 1 to 65536)");
  EXPECT_EQ(complaint([](ModelConfig& c) { c.max_length = 1 << 20; }),
            "model.safetensors: max_length 1048576 is too long for d_model 512 (hint: choose at most 16384)");
  EXPECT_EQ(
      complaint([](ModelConfig& c) { c.max_length = c.d_model = 1 << 16; }),  // 32 bits lose their product
      "model.safetensors: max_length 65536 is too long for d_model 65536 (hint: choose at most 128)");
}

TEST(ModelConfig, RefusesEverythingOutOfRange) {
  const std::function<void(ModelConfig&)> changes[] = {
      [](ModelConfig& c) { c.d_model = 0; },
      [](ModelConfig& c) { c.d_model = -512; },
      [](ModelConfig& c) { c.d_model = std::numeric_limits<Index>::max() / 512 * 512; },
      [](ModelConfig& c) { c.d_ff = -1; },
      [](ModelConfig& c) { c.heads = 0; },
      [](ModelConfig& c) { c.heads = -8; },
      [](ModelConfig& c) { c.heads = 1024; },
      [](ModelConfig& c) { c.d_k = -1; },
      [](ModelConfig& c) { c.d_v = (1 << 16) / 8 + 1; },
      [](ModelConfig& c) { c.heads = 7, c.d_k = 64; },  // the width of the values is still open
      [](ModelConfig& c) { c.encoder_layers = 0; },
      [](ModelConfig& c) { c.encoder_layers = 1'000'000'000; },
      [](ModelConfig& c) { c.decoder_layers = 0; },
      [](ModelConfig& c) { c.decoder_layers = 1001; },
      [](ModelConfig& c) { c.vocab = 4; },  // nothing but special symbols
      [](ModelConfig& c) { c.vocab = -1; },
      [](ModelConfig& c) { c.vocab = 10'000'001; },
      [](ModelConfig& c) { c.max_length = 1; },
      [](ModelConfig& c) { c.layer_norm_epsilon = 0; },
      [](ModelConfig& c) { c.layer_norm_epsilon = static_cast<Real>(-1e-6); },
      [](ModelConfig& c) { c.layer_norm_epsilon = 1; },
  };
  for (std::size_t i = 0; i < std::size(changes); ++i) EXPECT_NE(complaint(changes[i]), "") << "change " << i;
}

// Table 3, row B
TEST(ModelConfig, HeadsHaveTheirShareOfTheModelUnlessTheyHaveWidthsOfTheirOwn) {
  ModelConfig config = base();
  EXPECT_EQ(config.head_d_k(), 64);
  EXPECT_EQ(config.head_d_v(), 64);
  config.d_k = 16;
  EXPECT_EQ(config.head_d_k(), 16);
  EXPECT_EQ(config.head_d_v(), 64);
  config.d_v = 32;
  config.heads = 7;
  EXPECT_EQ(config.head_d_v(), 32);
  EXPECT_NO_THROW(config.check("here"));
}

}  // namespace
}  // namespace plainformer
