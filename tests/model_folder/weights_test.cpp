// The weights of a model as named tensors, and its configuration as metadata.
#include "model_folder/weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/thrown_message.h"
#include "training/tiny_training.h"

namespace plainformer {
namespace {

TEST(Weights, ComeBackBitForBit) {
  Transformer model(tiny_config(), 1), other(tiny_config(), 2);
  ASSERT_FALSE(same_bits(weights(model), weights(other)));
  auto tensors = weights_of(model);
  std::reverse(tensors.begin(), tensors.end());  // the order in the file does not matter
  load_weights(other, tensors, "a file");
  EXPECT_TRUE(same_bits(weights(model), weights(other)));
}

TEST(Weights, HaveTheirPublicNamesAndAreNotCopied) {
  Transformer model(tiny_config(), 1);
  const auto tensors = weights_of(model);
  const ParameterList parameters = model.parameters();
  ASSERT_EQ(tensors.size(), parameters.size());
  EXPECT_EQ(tensors[0].name, "embedding");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(tensors[i].name, parameters[i].name);
    EXPECT_EQ(tensors[i].tensor.data(), parameters[i].parameter->value.data());
  }
}

struct BadWeights {
  const char* what;
  std::string message;
  void (*spoil)(std::vector<NamedTensor>&);
};

TEST(Weights, ThatAreBadAreNamedAndTheModelKeepsItsOwn) {
  const BadWeights cases[] = {
      {"missing", "a.safetensors: 30 tensors, but this model has 31",
       [](std::vector<NamedTensor>& t) { t.pop_back(); }},
      {"extra", "a.safetensors: 32 tensors, but this model has 31",
       [](std::vector<NamedTensor>& t) {
         t.push_back({"bias", Tensor::zeros({3})});
       }},
      {"renamed", "a.safetensors: no tensor \"decoder.0.feed_forward_norm.bias\"",
       [](std::vector<NamedTensor>& t) { t.back().name = "bias"; }},
      {"twice", "a.safetensors: no tensor \"decoder.0.feed_forward_norm.bias\"",
       [](std::vector<NamedTensor>& t) { t.back() = t.front(); }},
      {"transposed", "a.safetensors: embedding is [8, 11], not [11, 8]",
       [](std::vector<NamedTensor>& t) {
         t[0].tensor = t[0].tensor.reshaped({8, 11});
       }},
      {"NaN", "a.safetensors: decoder.0.feed_forward_norm.bias holds NaN",
       [](std::vector<NamedTensor>& t) {
         t.back().tensor.mutable_data()[7] = std::numeric_limits<Real>::quiet_NaN();
       }},
      {"infinite", "a.safetensors: embedding holds NaN or infinite values",
       [](std::vector<NamedTensor>& t) {
         t.front().tensor.mutable_data()[0] = -std::numeric_limits<Real>::infinity();
       }},
  };
  for (const BadWeights& bad : cases) {
    Transformer model(tiny_config(), 1), source(tiny_config(), 2);
    const auto before = weights(model);
    auto tensors = weights_of(source);
    bad.spoil(tensors);
    const std::string message = error_of([&] { load_weights(model, tensors, "a.safetensors"); });
    EXPECT_EQ(message.rfind(bad.message, 0), 0u) << bad.what << ": " << message;
    EXPECT_TRUE(contains(message, "(hint: ")) << message;
    EXPECT_TRUE(same_bits(weights(model), before)) << bad.what;
  }
}

// ---- the configuration

ModelConfig base() {
  ModelConfig config;
  config.vocab = 37'000;
  return config;
}

TEST(ModelMetadata, GoesThroughMetadataUnchanged) {
  const ModelConfig small = {.d_model = 6,
                             .d_ff = 10,
                             .heads = 2,
                             .encoder_layers = 3,
                             .decoder_layers = 5,
                             .vocab = 13,
                             .max_length = 77,
                             .layer_norm_epsilon = static_cast<Real>(1e-5)};
  ModelConfig other = base();
  other.d_k = 16;
  other.d_v = 32;
  other.positions = Positions::kLearned;
  for (const ModelConfig& config : {small, other}) {
    Metadata metadata = metadata_of(config);
    metadata.emplace_back("note", "hello");  // other keys are ignored
    EXPECT_EQ(config_from(metadata, "here"), config);
  }
}

TEST(ModelMetadata, WritesTheContractsKeys) {
  std::string text;
  for (const auto& [key, value] : metadata_of(base())) text += key + "=" + value + " ";
  EXPECT_EQ(text,
            "d_model=512 d_ff=2048 heads=8 encoder_layers=6 decoder_layers=6 vocab=37000 max_length=1024 "
            "layer_norm_epsilon=1e-06 positional_encoding=sinusoidal ");
}

TEST(ModelMetadata, MissesNoKeySilently) {
  const Metadata all = metadata_of(base());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Metadata metadata = all;
    metadata.erase(metadata.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string message = error_of([&] { config_from(metadata, "file"); });
    EXPECT_TRUE(contains(message, "\"" + all[i].first + "\"")) << message;
  }
}

TEST(ModelMetadata, RefusesValuesThatAreNoneOrDoNotFit) {
  const auto message = [](std::size_t key, const std::string& value) {
    Metadata metadata = metadata_of(base());
    metadata[key].second = value;
    return error_of([&] { config_from(metadata, "file"); });
  };
  for (const char* text : {"", "5.5", "1e3", "0x10", " 512", "512 ", "five", "-1", "99999999999999999999"})
    EXPECT_TRUE(message(0, text).starts_with(std::string("file: d_model is \"") + text + "\", not a number"))
        << message(0, text);
  EXPECT_NE(message(2, "7"), "") << "heads that do not divide d_model";
  EXPECT_NE(message(7, "nan"), "") << "layer_norm_epsilon";
  EXPECT_EQ(message(8, "rotary"),
            "file: unknown positional_encoding \"rotary\" (hint: choose \"sinusoidal\" or \"learned\")");
}

}  // namespace
}  // namespace plainformer
