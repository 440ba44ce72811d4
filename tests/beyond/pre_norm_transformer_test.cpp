#include "beyond/pre_norm_transformer.h"

#include <gtest/gtest.h>

#include "beyond/other_norms.h"
#include "ops/elementwise.h"

namespace plainformer {
namespace {

GRADIENT_TEST(PreNormTransformer, Gradient) {
  EXPECT_TRUE(model_gradients_agree(PreNormTransformer(other_norms_config(), 1)));
}

TEST(PreNormTransformer, HasThePapersWeightsAndTwoMoreNorms) {
  const ModelConfig config = other_norms_config();
  Transformer paper(config, 1);
  PreNormTransformer model(config, 1);
  const ParameterList expected = paper.parameters(), list = model.parameters();
  ASSERT_EQ(list.size(), expected.size() + 4);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(list[i].name, expected[i].name);
    EXPECT_TRUE(same_bits(list[i].parameter->value, expected[i].parameter->value)) << list[i].name;
  }
  EXPECT_EQ(list.back().name, "decoder.norm.bias");
}

// Sub-layers whose last matrix is 0 add nothing. So each stack returns the norm of its input, layers or not.
TEST(PreNormTransformer, PassesItsInputAroundEveryNormButTheLast) {
  PreNormTransformer model(other_norms_config(), 1);
  for (const NamedParameter& p : model.parameters())
    if (p.name.ends_with("w_o") || p.name.ends_with("w_2"))
      p.parameter->value = Tensor::zeros(p.parameter->value.shape());
  const TokenBatch source = two_padded_pairs().source;
  const Tensor x = model.layers.add_positions(embedding_forward(source, model.layers.embedding));
  LayerNormCache unused;
  const Tensor expected = layer_norm_forward(x, model.encoder_gain, model.encoder_bias,
                                             model.layers.config().layer_norm_epsilon, unused);
  EXPECT_TRUE(same_bits(model.encode(source), expected));
}

TEST(PreNormTransformer, InferenceIsForwardWithoutDropout) {
  const PreNormTransformer model(other_norms_config(), 1);
  const TranslationBatch batch = two_padded_pairs();
  PreNormTransformer::Cache cache;
  EXPECT_TRUE(same_bits(model.forward(batch.source, batch.target_input, {}, cache),
                        model.decode(batch.target_input, model.encode(batch.source), batch.source.lengths)));
}

TEST(PreNormTransformer, SeesNoLaterTarget) {
  const PreNormTransformer model(other_norms_config(), 1);
  EXPECT_FALSE(sees_a_later_target([&](const TokenBatch& source, const TokenBatch& target_input) {
    return model.decode(target_input, model.encode(source), source.lengths);
  }));
}

}  // namespace
}  // namespace plainformer
