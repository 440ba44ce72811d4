#include "beyond/batch_norm_transformer.h"

#include <gtest/gtest.h>

#include "beyond/other_norms.h"

namespace plainformer {
namespace {

GRADIENT_TEST(BatchNormTransformer, Gradient) {
  EXPECT_TRUE(model_gradients_agree(BatchNormTransformer(other_norms_config(), 1)));
}

TEST(BatchNormTransformer, HasThePapersWeights) {
  Transformer paper(other_norms_config(), 1);
  BatchNormTransformer model(other_norms_config(), 1);
  const ParameterList expected = paper.parameters(), list = model.parameters();
  ASSERT_EQ(list.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(same_bits(list[i].parameter->value, expected[i].parameter->value)) << list[i].name;
}

// A mean over positions shows the decoder the tokens that it should predict, mask or no mask. Running moments do not.
TEST(BatchNormTransformer, SeesALaterTargetInTrainingOnly) {
  const BatchNormTransformer model(other_norms_config(), 1);
  EXPECT_TRUE(sees_a_later_target([&](const TokenBatch& source, const TokenBatch& target_input) {
    BatchNormTransformer::Cache cache;
    return model.forward(source, target_input, {}, cache);
  }));
  EXPECT_FALSE(sees_a_later_target([&](const TokenBatch& source, const TokenBatch& target_input) {
    return model.decode(target_input, model.encode(source), source.lengths);
  }));
}

RunningMoments moments_of(const BatchNormTransformer::NormCache& cache) {
  RunningMoments moments(cache.norm.mean.size());
  moments.mean = cache.norm.mean;
  moments.variance = cache.norm.variance;
  return moments;
}

TEST(BatchNormTransformer, InferenceWithTheMomentsOfABatchIsItsForwardPass) {
  BatchNormTransformer model(other_norms_config(), 1);
  const TranslationBatch batch =
      TranslationBatch::from({{4, 5, 6, 7}, {8, 9, 4, 5}}, {{5, 4, 6}, {10, 9, 8}});
  BatchNormTransformer::Cache cache;
  const Tensor expected = model.forward(batch.source, batch.target_input, {}, cache);
  for (std::size_t i = 0; i < 2; ++i) {
    BatchNormTransformer::LayerMoments &encoder = model.encoder_moments[i],
                                       &decoder = model.decoder_moments[i];
    encoder.self_attention_norm = moments_of(cache.encoder[i].self_attention_norm);
    encoder.feed_forward_norm = moments_of(cache.encoder[i].feed_forward_norm);
    decoder.self_attention_norm = moments_of(cache.decoder[i].self_attention_norm);
    decoder.encoder_decoder_attention_norm = moments_of(cache.decoder[i].encoder_decoder_attention_norm);
    decoder.feed_forward_norm = moments_of(cache.decoder[i].feed_forward_norm);
  }
  const Tensor output = model.decode(batch.target_input, model.encode(batch.source), batch.source.lengths);
  EXPECT_TRUE(near(output, expected, 1e-4));
}

TEST(BatchNormTransformer, MovesTheMomentsOfEveryNorm) {
  BatchNormTransformer model(other_norms_config(), 1);
  const TranslationBatch batch = two_padded_pairs();
  BatchNormTransformer::Cache cache;
  model.forward(batch.source, batch.target_input, {}, cache);
  model.update_moments(cache);
  const auto moved = [](const RunningMoments& moments) { return moments.variance(0) != 1; };
  for (const auto& each : model.encoder_moments)
    EXPECT_TRUE(moved(each.self_attention_norm) && moved(each.feed_forward_norm));
  for (const auto& each : model.decoder_moments)
    EXPECT_TRUE(moved(each.self_attention_norm) && moved(each.encoder_decoder_attention_norm) &&
                moved(each.feed_forward_norm));
}

TEST(BatchNormTransformer, AtInferenceASentenceDependsOnNoOther) {
  BatchNormTransformer model(other_norms_config(), 1);
  const TranslationBatch both = two_padded_pairs();
  BatchNormTransformer::Cache cache;
  model.forward(both.source, both.target_input, {}, cache);
  model.update_moments(cache);
  const Tensor together = model.encode(both.source), alone = model.encode(TokenBatch::from({{8, 9, kEndId}}));
  EXPECT_TRUE(std::equal(alone.data(), alone.data() + alone.size(), together.data() + 5 * 6));
}

}  // namespace
}  // namespace plainformer
