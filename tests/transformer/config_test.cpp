#include "transformer/config.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <stdexcept>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

ModelConfig base() {
  ModelConfig config;
  config.vocab = 37'000;
  return config;
}

TEST(ModelConfig, IsThePapersBaseModelByDefault) {
  const ModelConfig config;
  EXPECT_EQ(config.d_model, 512);
  EXPECT_EQ(config.d_ff, 2048);
  EXPECT_EQ(config.heads, 8);
  EXPECT_EQ(config.encoder_layers, 6);
  EXPECT_EQ(config.decoder_layers, 6);
  EXPECT_NO_THROW(base().check("here"));
}

std::string complaint(const std::function<void(ModelConfig&)>& change) {
  ModelConfig config = base();
  change(config);
  return thrown_message<std::runtime_error>([&] { config.check("model.safetensors"); });
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
      [](ModelConfig& c) { c.positional_encoding = "rotary"; },
  };
  for (std::size_t i = 0; i < std::size(changes); ++i) EXPECT_NE(complaint(changes[i]), "") << "change " << i;
}

TEST(ModelConfig, GoesThroughMetadataUnchanged) {
  const ModelConfig config = {.d_model = 6,
                              .d_ff = 10,
                              .heads = 2,
                              .encoder_layers = 3,
                              .decoder_layers = 5,
                              .vocab = 13,
                              .max_length = 77,
                              .layer_norm_epsilon = static_cast<Real>(1e-5)};
  EXPECT_EQ(ModelConfig::from_metadata(config.to_metadata(), "here"), config);
}

TEST(ModelConfig, KnowsLearnedPositionsToo) {
  ModelConfig config = base();
  EXPECT_FALSE(config.learns_positions());
  config.positional_encoding = "learned";
  EXPECT_TRUE(config.learns_positions());
  EXPECT_EQ(ModelConfig::from_metadata(config.to_metadata(), "here"), config);
}

// Table 3, row B
TEST(ModelConfig, HeadsHaveTheirShareOfTheModelUnlessTheyHaveWidthsOfTheirOwn) {
  ModelConfig config = base();
  EXPECT_EQ(config.key_width(), 64);
  EXPECT_EQ(config.value_width(), 64);
  config.d_k = 16;
  EXPECT_EQ(config.key_width(), 16);
  EXPECT_EQ(config.value_width(), 64);
  config.d_v = 32;
  config.heads = 7;
  EXPECT_EQ(config.value_width(), 32);
  EXPECT_NO_THROW(config.check("here"));
  EXPECT_EQ(ModelConfig::from_metadata(config.to_metadata(), "here"), config);
}

TEST(ModelConfig, WritesTheContractsKeys) {
  std::string text;
  for (const auto& [key, value] : base().to_metadata()) text += key + "=" + value + " ";
  EXPECT_EQ(text,
            "d_model=512 d_ff=2048 heads=8 encoder_layers=6 decoder_layers=6 vocab=37000 max_length=1024 "
            "layer_norm_epsilon=1e-06 positional_encoding=sinusoidal ");
}

TEST(ModelConfig, IgnoresOtherKeys) {
  auto metadata = base().to_metadata();
  metadata.emplace_back("note", "hello");
  EXPECT_EQ(ModelConfig::from_metadata(metadata, "here"), base());
}

TEST(ModelConfig, MissesNoKeySilently) {
  const auto all = base().to_metadata();
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto metadata = all;
    metadata.erase(metadata.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string message =
        thrown_message<std::runtime_error>([&] { ModelConfig::from_metadata(metadata, "file"); });
    EXPECT_NE(message.find("\"" + all[i].first + "\""), std::string::npos) << message;
  }
}

TEST(ModelConfig, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "5.5", "1e3", "0x10", " 512", "512 ", "five", "99999999999999999999"}) {
    auto metadata = base().to_metadata();
    metadata[0].second = text;  // d_model
    EXPECT_THROW(ModelConfig::from_metadata(metadata, "file"), std::runtime_error) << text;
  }
}

TEST(ModelConfig, ValidatesWhatItRead) {
  auto metadata = base().to_metadata();
  metadata[2].second = "7";  // heads
  EXPECT_THROW(ModelConfig::from_metadata(metadata, "file"), std::runtime_error);
  metadata = base().to_metadata();
  metadata[7].second = "nan";  // layer_norm_epsilon
  EXPECT_THROW(ModelConfig::from_metadata(metadata, "file"), std::runtime_error);
}

}  // namespace
}  // namespace plainformer
