// Which tensor of which layer was the first that is not finite.
#include "training/first_not_finite.h"

#include <gtest/gtest.h>

#include <limits>

#include "training/tiny_training.h"

namespace plainformer {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

TEST(FirstNotFinite, IsAnOutputOfALayer) {
  const std::vector<std::pair<std::string, Parameter& (*)(Transformer&)>> cases = {
      {"the embedding of the source", [](auto& m) -> auto& {return m.embedding;
}
}  // namespace
, {"the output of encoder.0.self_attention",
   [](auto& m) -> auto& {return m.encoder.layers[0].self_attention.w_v;
}  // namespace plainformer
}
, {"the output of encoder.0.self_attention_norm",
   [](auto& m) -> auto& {return m.encoder.layers[0].self_attention_norm.bias;
}
}
, {"the output of encoder.0.feed_forward", [](auto& m) -> auto& {return m.encoder.layers[0].feed_forward.b_1;
}
}
, {"the output of encoder.1.self_attention",
   [](auto& m) -> auto& {return m.encoder.layers[1].self_attention.w_v;
}
}
, {"the output of encoder.1.feed_forward_norm",
   [](auto& m) -> auto& {return m.encoder.layers[1].feed_forward_norm.bias;
}
}
, {"the output of decoder.0.self_attention",
   [](auto& m) -> auto& {return m.decoder.layers[0].self_attention.w_v;
}
}
, {"the output of decoder.0.encoder_decoder_attention",
   [](auto& m) -> auto& {return m.decoder.layers[0].encoder_decoder_attention.w_v;
}
}
, {"the output of decoder.1.encoder_decoder_attention_norm",
   [](auto& m) -> auto& {return m.decoder.layers[1].encoder_decoder_attention_norm.bias;
}
}
, {"the output of decoder.1.feed_forward_norm",
   [](auto& m) -> auto& {return m.decoder.layers[1].feed_forward_norm.bias;
}
}
,
}
;
ModelConfig config = tiny_config();
config.encoder_layers = config.decoder_layers = 2;
for (const auto& [name, parameter] : cases) {
  Transformer model(config, 1);
  Trainer trainer(model, tiny_options(0));
  Tensor& value = parameter(model).value;
  std::fill_n(value.mutable_data(), value.size(), kInfinity);
  EXPECT_EQ(trainer.step({tiny_batch()}).not_finite, name);
}
}

TEST(FirstNotFinite, IsTheOutputOfAWholeLayerWhereLayersAreRecomputed) {
  Transformer model(tiny_config(), 1);
  TrainingOptions options = tiny_options(0);
  options.recompute = true;
  model.decoder.layers[0].self_attention.w_v.value.mutable_data()[0] = kInfinity;
  EXPECT_EQ(Trainer(model, options).step({tiny_batch()}).not_finite,
            "the output of decoder.0.feed_forward_norm");
}

// Backward goes from the last layer to the first; the embedding, the first by name, gets its gradient last.
TEST(FirstNotFinite, IsAGradientInTheOrderOfBackward) {
  Transformer model(tiny_config(), 1);
  Trainer(model, tiny_options(0)).step({tiny_batch()});
  const ParameterList parameters = model.parameters();
  const NamedParameter &embedding = parameters[0], &third = parameters[2], &fifth = parameters[4];
  embedding.parameter->grad.mutable_data()[3] = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(first_not_finite_gradient(parameters), "the gradient of embedding");
  third.parameter->grad.mutable_data()[0] = -kInfinity;
  EXPECT_EQ(first_not_finite_gradient(parameters), "the gradient of " + third.name);
  fifth.parameter->grad.mutable_data()[1] = kInfinity;
  EXPECT_EQ(first_not_finite_gradient(parameters), "the gradient of " + fifth.name);
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
