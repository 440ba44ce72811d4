// The configuration of a model in the metadata of its file.
#include "model_folder/metadata.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

ModelConfig base() {
  ModelConfig config;
  config.vocab = 37'000;
  return config;
}

TEST(ModelMetadata, GoesThroughMetadataUnchanged) {
  const ModelConfig config = {.d_model = 6,
                              .d_ff = 10,
                              .heads = 2,
                              .encoder_layers = 3,
                              .decoder_layers = 5,
                              .vocab = 13,
                              .max_length = 77,
                              .layer_norm_epsilon = static_cast<Real>(1e-5)};
  EXPECT_EQ(config_from(metadata_of(config), "here"), config);
}

TEST(ModelMetadata, GoesThroughMetadataWithWidthsOfItsHeadsAndLearnedPositions) {
  ModelConfig config = base();
  config.d_k = 16;
  config.d_v = 32;
  config.positions = Positions::kLearned;
  EXPECT_EQ(config_from(metadata_of(config), "here"), config);
}

TEST(ModelMetadata, WritesTheContractsKeys) {
  std::string text;
  for (const auto& [key, value] : metadata_of(base())) text += key + "=" + value + " ";
  EXPECT_EQ(text,
            "d_model=512 d_ff=2048 heads=8 encoder_layers=6 decoder_layers=6 vocab=37000 max_length=1024 "
            "layer_norm_epsilon=1e-06 positional_encoding=sinusoidal ");
}

TEST(ModelMetadata, IgnoresOtherKeys) {
  auto metadata = metadata_of(base());
  metadata.emplace_back("note", "hello");
  EXPECT_EQ(config_from(metadata, "here"), base());
}

TEST(ModelMetadata, MissesNoKeySilently) {
  const auto all = metadata_of(base());
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto metadata = all;
    metadata.erase(metadata.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string message = thrown_message<std::runtime_error>([&] { config_from(metadata, "file"); });
    EXPECT_NE(message.find("\"" + all[i].first + "\""), std::string::npos) << message;
  }
}

TEST(ModelMetadata, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "5.5", "1e3", "0x10", " 512", "512 ", "five", "99999999999999999999"}) {
    auto metadata = metadata_of(base());
    metadata[0].second = text;  // d_model
    EXPECT_THROW(config_from(metadata, "file"), std::runtime_error) << text;
  }
}

TEST(ModelMetadata, ValidatesWhatItRead) {
  auto metadata = metadata_of(base());
  metadata[2].second = "7";  // heads
  EXPECT_THROW(config_from(metadata, "file"), std::runtime_error);
  metadata = metadata_of(base());
  metadata[7].second = "nan";  // layer_norm_epsilon
  EXPECT_THROW(config_from(metadata, "file"), std::runtime_error);
}

TEST(ModelMetadata, RefusesPositionsOfAnUnknownName) {
  auto metadata = metadata_of(base());
  metadata[8].second = "rotary";
  EXPECT_EQ(thrown_message<std::runtime_error>([&] { config_from(metadata, "file"); }),
            "file: unknown positional_encoding \"rotary\" (hint: choose \"sinusoidal\" or \"learned\")");
}

}  // namespace
}  // namespace plainformer
