// Paper: 3.1 Encoder and Decoder Stacks. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/special_symbols.h"
#include "ops/elementwise.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

// "The encoder is composed of a stack of N = 6 identical layers." "The decoder is also composed of a stack of
// N = 6 identical layers."
TEST(Section31, EncoderAndDecoderAreStacksOfSixIdenticalLayers) {
  ModelConfig config;
  EXPECT_EQ(config.encoder_layers, 6);
  EXPECT_EQ(config.decoder_layers, 6);
  config.d_model = config.d_ff = 8;  // the layers' number does not depend on their size
  config.vocab = 5;
  const Transformer model(config, 1);
  EXPECT_EQ(model.encoder.layers.size(), 6u);
  EXPECT_EQ(model.decoder.layers.size(), 6u);
}

// "Each layer has two sub-layers. The first is a multi-head self-attention mechanism, and the second is a
// simple, position-wise fully connected feed-forward network."
TEST(Section31, AnEncoderLayerHasTwoSubLayers) {
  EncoderLayer layer(small_config(), 0);
  // An attention, a feed-forward network, and two norms.
  EXPECT_EQ(parameters_of(layer).size(), 4u + 4u + 2 * 2u);
}

// "In addition to the two sub-layers in each encoder layer, the decoder inserts a third sub-layer".
TEST(Section31, ADecoderLayerInsertsAThirdSubLayer) {
  DecoderLayer layer(small_config(), 0);
  EXPECT_EQ(parameters_of(layer).size(), 2 * 4u + 4u + 3 * 2u);
}

// The norm of (x + Sublayer(x)), in the plainest arithmetic: gain 1 and bias 0.
Tensor layer_norm_of_sum(const Tensor& x, const Tensor& sublayer_output) {
  const Tensor sum = add(x, sublayer_output);
  const Index d = sum.dim(-1);
  Tensor output(sum.shape());
  for (Index row = 0; row < sum.size() / d; ++row) {
    double mean = 0, variance = 0;
    for (Index i = 0; i < d; ++i) mean += sum.data()[row * d + i] / double(d);
    for (Index i = 0; i < d; ++i) variance += std::pow(sum.data()[row * d + i] - mean, 2) / double(d);
    for (Index i = 0; i < d; ++i)
      output.mutable_data()[row * d + i] =
          static_cast<Real>((sum.data()[row * d + i] - mean) / std::sqrt(variance + 1e-6));
  }
  return output;
}

// "We employ a residual connection around each of the two sub-layers, followed by layer normalization. That
// is, the output of each sub-layer is LayerNorm(x + Sublayer(x))".
TEST(Section31, ResidualConnectionAroundEachOfTheTwoSubLayersFollowedByLayerNormalization) {
  const Transformer model(small_config(), 1);
  const EncoderLayer& layer = model.encoder.layers[0];
  const Tensor x = random_tensor({2, 5, 6}, 1);
  const AttentionMask mask = {.key_lengths = {5, 3}, .causal = false};
  EncoderLayer::Cache cache;
  const Tensor output = layer.forward(x, mask, dropout_of(0), cache);

  MultiHeadAttention::Cache attention;
  FeedForward::Cache feed_forward;
  const Tensor y = layer_norm_of_sum(x, layer.self_attention.forward(x, x, x, mask, attention));
  EXPECT_TRUE(near(output, layer_norm_of_sum(y, layer.feed_forward.forward(y, feed_forward)), 1e-5));
}

// "Similar to the encoder, we employ residual connections around each of the sub-layers, followed by layer
// normalization." The third "performs multi-head attention over the output of the encoder stack".
TEST(Section31, TheDecoderDoesTheSameAroundItsThreeSubLayers) {
  const Transformer model(small_config(), 1);
  const DecoderLayer& layer = model.decoder.layers[0];
  const Tensor x = random_tensor({2, 4, 6}, 1), memory = random_tensor({2, 5, 6}, 2);
  const AttentionMask target_mask = {.key_lengths = {4, 2}, .causal = true};
  const AttentionMask source_mask = {.key_lengths = {3, 5}, .causal = false};
  DecoderLayer::Cache cache;
  const Tensor output = layer.forward(x, memory, target_mask, source_mask, dropout_of(0), cache);

  MultiHeadAttention::Cache attention;
  FeedForward::Cache feed_forward;
  const Tensor y = layer_norm_of_sum(x, layer.self_attention.forward(x, x, x, target_mask, attention));
  const Tensor z = layer_norm_of_sum(
      y, layer.encoder_decoder_attention.forward(y, memory, memory, source_mask, attention));
  EXPECT_TRUE(near(output, layer_norm_of_sum(z, layer.feed_forward.forward(z, feed_forward)), 1e-5));
}

// "all sub-layers in the model, as well as the embedding layers, produce outputs of dimension d_model = 512."
TEST(Section31, AllSubLayersAndEmbeddingsProduceOutputsOfDimensionDModel) {
  EXPECT_EQ(ModelConfig().d_model, 512);
  const Transformer model(small_config(), 1);
  const TranslationBatch batch = small_batch();
  Transformer::Cache cache;
  model.forward(batch.source, batch.target_input, dropout_of(0), cache);
  const Index d_model = small_config().d_model, source_len = batch.source.len,
              target_len = batch.target_input.len;
  for (const EncoderLayer::Cache& layer : cache.encoder.layers)
    for (const Tensor* sum : {&layer.self_attention_norm.norm.x, &layer.feed_forward_norm.norm.x})
      EXPECT_EQ(sum->shape(), (Shape{3, source_len, d_model}));
  for (const DecoderLayer::Cache& layer : cache.decoder.layers)
    for (const Tensor* sum : {&layer.self_attention_norm.norm.x, &layer.encoder_decoder_attention_norm.norm.x,
                              &layer.feed_forward_norm.norm.x})
      EXPECT_EQ(sum->shape(), (Shape{3, target_len, d_model}));
  EXPECT_EQ(embedding_forward(batch.source, model.embedding).shape(), (Shape{3, source_len, d_model}));
}

// "We also modify the self-attention sub-layer in the decoder stack to prevent positions from attending to
// subsequent positions. This masking ... ensures that the predictions for position i can depend only on the
// known outputs at positions less than i."
TEST(Section31, PreventsPositionsFromAttendingToSubsequentPositions) {
  Transformer model(small_config(), 1);
  randomize(model.parameters(), 10);
  const TokenBatch source = TokenBatch::from({{4, 5, 6, 2}});
  const std::vector<int> target = {kStartId, 7, 8, 9, 10};
  const Tensor logits = logits_of(model, source, TokenBatch::from({target}), dropout_of(0));
  const Index vocab = logits.dim(2);
  for (Index changed = 1; changed < std::ssize(target); ++changed) {
    std::vector<int> other = target;
    other[changed] = 11;
    const Tensor other_logits = logits_of(model, source, TokenBatch::from({other}), dropout_of(0));
    // To the bit the same before the change, and different from there on.
    EXPECT_TRUE(std::equal(logits.data(), logits.data() + changed * vocab, other_logits.data())) << changed;
    for (Index i = changed; i < std::ssize(target); ++i)
      EXPECT_FALSE(std::equal(logits.data() + i * vocab, logits.data() + (i + 1) * vocab,
                              other_logits.data() + i * vocab))
          << i << " after " << changed;
  }
}

// "... combined with fact that the output embeddings are offset by one position".
TEST(Section31, TheOutputEmbeddingsAreOffsetByOnePosition) {
  const TranslationBatch batch = TranslationBatch::from({{4, 5}}, {{7, 8, 9}});
  EXPECT_EQ(batch.target_input.ids, (std::vector<int>{kStartId, 7, 8, 9}));
  EXPECT_EQ(batch.target_output.ids, (std::vector<int>{7, 8, 9, kEndId}));
}

// Table 3: the base model has 65 million parameters. With 37,000 words in one shared matrix and no biases in
// the attention, arithmetic gives 63.05 million.
TEST(Section31, ParameterCountOfTheBaseModel) {
  ModelConfig config;
  config.vocab = 37'000;
  const auto count = [](const ParameterList& parameters) {
    Index total = 0;
    for (const NamedParameter& p : parameters) total += p.parameter->value.size();
    return total;
  };
  const Index attention = 4 * 512 * 512, norm = 2 * 512, feed_forward = 2 * 512 * 2048 + 2048 + 512;
  EncoderLayer encoder_layer(config, 0);
  const ParameterList parameters = parameters_of(encoder_layer);
  EXPECT_EQ(count(parameters), attention + feed_forward + 2 * norm);
  DecoderLayer decoder_layer(config, 0);
  const ParameterList decoder_parameters = parameters_of(decoder_layer);
  EXPECT_EQ(count(decoder_parameters), 2 * attention + feed_forward + 3 * norm);
  const Index total = 37'000 * 512 + 6 * count(parameters) + 6 * count(decoder_parameters);
  EXPECT_EQ(total, 63'045'632);

  // And a whole model has its embedding and its layers, and nothing else.
  Transformer model(small_config(), 1);
  const Index small_attention = 4 * 6 * 6, small_norm = 2 * 6, small_feed_forward = 2 * 6 * 10 + 10 + 6;
  EXPECT_EQ(count(model.parameters()), 13 * 6 + 2 * (small_attention + small_feed_forward + 2 * small_norm) +
                                           2 * (2 * small_attention + small_feed_forward + 3 * small_norm));
}

}  // namespace
}  // namespace plainformer
