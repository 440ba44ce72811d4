// Which tensor of which layer was the first that is not finite.
#include "training/first_not_finite.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>

#include "training/tiny_training.h"

namespace plainformer {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// Two layers in each stack, and one parameter full of infinities: what does a step say?
std::string first_after_infinite(const std::string& name) {
  ModelConfig config = tiny_config();
  config.encoder_layers = config.decoder_layers = 2;
  Transformer model(config, 1);
  StepwiseTraining training(model, tiny_options(0));
  for (const NamedParameter& p : model.parameters()) {
    if (p.name == name) p.parameter->value = Tensor::filled(p.parameter->value.shape(), kInfinity);
  }
  return training.step({tiny_batch()}).not_finite;
}

TEST(FirstNotFinite, IsAnOutputOfALayer) {
  EXPECT_EQ(first_after_infinite("none"), "");
  EXPECT_EQ(first_after_infinite("embedding"), "the embedding of the source");
  const std::pair<const char*, const char*> cases[] = {
      {"encoder.0.self_attention.w_v", "encoder.0.self_attention"},
      {"encoder.0.self_attention_norm.bias", "encoder.0.self_attention_norm"},
      {"encoder.0.feed_forward.b_1", "encoder.0.feed_forward"},
      {"encoder.0.feed_forward_norm.bias", "encoder.0.feed_forward_norm"},
      {"encoder.1.self_attention.w_v", "encoder.1.self_attention"},
      {"encoder.1.feed_forward_norm.bias", "encoder.1.feed_forward_norm"},
      {"decoder.0.self_attention.w_v", "decoder.0.self_attention"},
      {"decoder.0.self_attention_norm.bias", "decoder.0.self_attention_norm"},
      {"decoder.0.encoder_decoder_attention.w_v", "decoder.0.encoder_decoder_attention"},
      {"decoder.1.encoder_decoder_attention_norm.bias", "decoder.1.encoder_decoder_attention_norm"},
      {"decoder.1.feed_forward.b_1", "decoder.1.feed_forward"},
      {"decoder.1.feed_forward_norm.bias", "decoder.1.feed_forward_norm"},
  };
  for (const auto& [parameter, output] : cases)
    EXPECT_EQ(first_after_infinite(parameter), "the output of " + std::string(output));
}

// Token 10 is in the targets alone; <unk> is in neither, and the softmax over all tokens meets it first.
TEST(FirstNotFinite, MayBeTheEmbeddingOfTheTargetOrTheLoss) {
  const auto first_with_infinite_row = [](Index token) {
    Transformer model(tiny_config(), 1);
    model.embedding.value.mutable_data()[token * model.config().d_model] = kInfinity;
    return StepwiseTraining(model, tiny_options(0)).step({tiny_batch()}).not_finite;
  };
  EXPECT_EQ(first_with_infinite_row(10), "the embedding of the target");
  EXPECT_EQ(first_with_infinite_row(3), "the loss");
}

// Backward goes from the last layer to the first; the embedding, the first by name, gets its gradient last.
TEST(FirstNotFinite, IsAGradientInTheOrderOfBackward) {
  Transformer model(tiny_config(), 1);
  StepwiseTraining(model, tiny_options(0)).step({tiny_batch()});
  const ParameterList parameters = model.parameters();
  const NamedParameter &embedding = parameters[0], &third = parameters[2], &fifth = parameters[4];
  embedding.parameter->grad.mutable_data()[3] = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(first_not_finite_gradient(parameters), "the gradient of embedding");
  third.parameter->grad.mutable_data()[0] = -kInfinity;
  EXPECT_EQ(first_not_finite_gradient(parameters), "the gradient of " + third.name);
  fifth.parameter->grad.mutable_data()[1] = kInfinity;
  EXPECT_EQ(first_not_finite_gradient(parameters), "the gradient of " + fifth.name);
}

// Learned positions are the last by name, and get their gradient as late as the embedding.
TEST(FirstNotFinite, IsALayersGradientBeforeThatOfThePositions) {
  ModelConfig config = tiny_config();
  config.positions = Positions::kLearned;
  Transformer model(config, 1);
  StepwiseTraining(model, tiny_options(0)).step({tiny_batch()});
  const ParameterList parameters = model.parameters();
  parameters.back().parameter->grad.mutable_data()[0] = kInfinity;
  EXPECT_EQ(first_not_finite_gradient(parameters), "the gradient of position_embedding");
  parameters[4].parameter->grad.mutable_data()[0] = kInfinity;
  EXPECT_EQ(first_not_finite_gradient(parameters), "the gradient of " + parameters[4].name);
}

TEST(FirstNotFinite, IsNoneWhereAllAreFinite) {
  const Real largest = std::numeric_limits<Real>::max();
  EXPECT_EQ(first_not_finite({}), "");
  EXPECT_EQ(first_not_finite(
                {{"a", Tensor::filled({2}, 1)}, {"b", Tensor::filled({3}, sizeof(Real) == 4 ? largest : 1)}}),
            "");
  EXPECT_EQ(first_not_finite({{"a", Tensor::filled({2}, 1)}, {"b", Tensor::filled({3}, kInfinity)}}), "b");
}

}  // namespace
}  // namespace plainformer
