#include "transformer/encoder.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

constexpr Index kBatch = 2, kSourceLen = 5, kDModel = 6;
const AttentionMask kSourceMask = {.key_lengths = {5, 3}, .causal = false};

Tensor random_input() {
  return random_tensor({kBatch, kSourceLen, kDModel}, 1);
}

TEST(EncoderLayer, IsAttentionThenFeedForwardEachWithItsResidual) {
  EncoderLayer layer(small_config(), 0);
  ParameterList parameters;
  layer.append_parameters("layer", parameters);
  randomize(parameters, 10);
  const Tensor x = random_input();
  EncoderLayer::Cache cache;
  const Tensor output = layer.forward(x, kSourceMask, dropout_of(0), cache);

  MultiHeadAttention::Cache attention_cache;
  ResidualLayerNorm::Cache norm_cache;
  FeedForward::Cache feed_forward_cache;
  const Tensor attended = layer.self_attention.forward(x, x, x, kSourceMask, attention_cache);
  const Tensor y = layer.self_attention_norm.forward(x, attended, dropout_of(0), norm_cache);
  const Tensor transformed = layer.feed_forward.forward(y, feed_forward_cache);
  EXPECT_TRUE(same_bits(output, layer.feed_forward_norm.forward(y, transformed, dropout_of(0), norm_cache)));
}

TEST(EncoderLayer, ItsTwoDropoutsAreIndependent) {
  const EncoderLayer layer(small_config(), 4);
  // A site shows in the dropout's pattern on constant sub-layer outputs.
  const auto pattern = [](const ResidualLayerNorm& norm) {
    ResidualLayerNorm::Cache norm_cache;
    norm.forward(Tensor::zeros({kBatch, kSourceLen, kDModel}),
                 Tensor::filled({kBatch, kSourceLen, kDModel}, 1), dropout_of(0.3), norm_cache);
    return norm_cache.norm.x;
  };
  EXPECT_FALSE(same_bits(pattern(layer.self_attention_norm), pattern(layer.feed_forward_norm)));
  const EncoderLayer next(small_config(), 4 + EncoderLayer::kDropoutSites);
  EXPECT_FALSE(same_bits(pattern(layer.self_attention_norm), pattern(next.self_attention_norm)));
  EXPECT_FALSE(same_bits(pattern(layer.feed_forward_norm), pattern(next.self_attention_norm)));
}

TEST(Encoder, IsItsLayersOneAfterTheOther) {
  Encoder encoder(small_config(), 0);
  ParameterList parameters;
  encoder.append_parameters("encoder", parameters);
  randomize(parameters, 10);
  ASSERT_EQ(encoder.layers.size(), 2u);
  Encoder::Cache cache;
  const Tensor memory = encoder.forward(random_input(), kSourceMask, dropout_of(0.3), cache);
  EncoderLayer::Cache layer_cache;
  Tensor hidden = random_input();
  for (const EncoderLayer& layer : encoder.layers)
    hidden = layer.forward(hidden, kSourceMask, dropout_of(0.3), layer_cache);
  EXPECT_TRUE(same_bits(memory, hidden));
}

TEST(Encoder, NamesItsParameters) {
  Encoder encoder(small_config(), 0);
  ParameterList parameters;
  encoder.append_parameters("encoder", parameters);
  std::vector<std::string> names;
  for (const NamedParameter& p : parameters) names.push_back(p.name);
  std::vector<std::string> expected;
  for (const char* layer : {"encoder.0.", "encoder.1."})
    for (const char* name :
         {"self_attention.w_q", "self_attention.w_k", "self_attention.w_v", "self_attention.w_o",
          "self_attention_norm.gain", "self_attention_norm.bias", "feed_forward.w_1", "feed_forward.b_1",
          "feed_forward.w_2", "feed_forward.b_2", "feed_forward_norm.gain", "feed_forward_norm.bias"})
      expected.push_back(std::string(layer) + name);
  EXPECT_EQ(names, expected);
}

// One check for EncoderLayer and Encoder, which have the same interface.
template <typename Part>
void check_encoder_gradients(double dropout) {
  Part part(small_config(), 5);
  ParameterList parameters;
  part.append_parameters("", parameters);
  randomize(parameters, 10);
  Tensor x = random_input();
  const Tensor grad_output = random_tensor(x.shape(), 2);
  typename Part::Cache cache;
  part.forward(x, kSourceMask, dropout_of(dropout), cache);
  const Tensor grad_x = part.backward(grad_output, cache);
  std::vector<Differentiated> inputs = differentiated(parameters);
  inputs.push_back({"x", &x, grad_x});
  const auto loss = [&] {
    typename Part::Cache unused;
    return dot(grad_output, part.forward(x, kSourceMask, dropout_of(dropout), unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

GRADIENT_TEST(EncoderLayer, Gradient) {
  check_encoder_gradients<EncoderLayer>(0);
}
GRADIENT_TEST(EncoderLayer, GradientWithDropout) {
  check_encoder_gradients<EncoderLayer>(0.3);
}
GRADIENT_TEST(Encoder, Gradient) {
  check_encoder_gradients<Encoder>(0);
}
GRADIENT_TEST(Encoder, GradientWithDropout) {
  check_encoder_gradients<Encoder>(0.3);
}

}  // namespace
}  // namespace plainformer
