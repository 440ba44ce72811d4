// Paper: 3.2.3 Applications of Attention in our Model. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <variant>

#include "core/special_symbols.h"
#include "ops/ways.h"
#include "support/attention.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

constexpr Index kMaskedHeads = 2;

class Section323 : public testing::Test {
 protected:
  Section323() : model(small_config(), 1) {
    const TokenBatch target = TokenBatch::from({{kStartId, 7, 8, 9}});
    model.forward(TokenBatch::from({{4, 5, 6, 10, 2}}), target, dropout_of(0), cache);
  }

  // Is the weight from query i to key j positive exactly where `sees` says so?
  static void expect_positive_exactly_where(const Tensor& weights, bool (*sees)(Index i, Index j)) {
    for (Index h = 0; h < kMaskedHeads; ++h)
      for (Index i = 0; i < weights.dim(2); ++i)
        for (Index j = 0; j < weights.dim(3); ++j)
          EXPECT_EQ(weights.at({0, h, i, j}) > 0, sees(i, j)) << "from " << i << " to " << j;
  }

  const WaysInScope plain{with_plain_attention()};  // which keeps the weights
  Transformer model;
  Transformer::Cache cache;
};

// "In 'encoder-decoder attention' layers, the queries come from the previous decoder layer, and the memory
// keys and values come from the output of the encoder."
TEST_F(Section323, MemoryKeysAndValuesComeFromTheOutputOfTheEncoder) {
  const Tensor memory = model.encode(cache.source_input.tokens);
  for (const DecoderLayer::Cache& layer : cache.decoder.layers) {
    EXPECT_TRUE(same_bits(layer.encoder_decoder_attention.key_input, memory));
    EXPECT_TRUE(same_bits(layer.encoder_decoder_attention.value_input, memory));
  }
  // The first sub-layer of decoder layer 1 reads the output of decoder layer 0.
  const DecoderLayer& first = model.decoder.layers[0];
  DecoderLayer::Cache unused;
  const Tensor output =
      first.forward(cache.decoder.layers[0].self_attention.query_input, memory,
                    {.key_lengths = {4}, .causal = true}, {.key_lengths = {5}}, dropout_of(0), unused);
  EXPECT_TRUE(same_bits(cache.decoder.layers[1].self_attention.query_input, output));
}

// "This allows every position in the decoder to attend over all positions in the input sequence."
TEST_F(Section323, EveryPositionInTheDecoderAttendsOverAllPositionsInTheInput) {
  for (const DecoderLayer::Cache& layer : cache.decoder.layers) {
    const Tensor& weights = std::get<AttentionCache>(layer.encoder_decoder_attention.attention).weights;
    ASSERT_EQ(weights.shape(), (Shape{1, kMaskedHeads, 4, 5}));
    expect_positive_exactly_where(weights, [](Index, Index) { return true; });
  }
}

// "In a self-attention layer all of the keys, values and queries come from the same place, in this case, the
// output of the previous layer in the encoder."
TEST_F(Section323, InSelfAttentionKeysValuesAndQueriesComeFromTheSamePlace) {
  for (const EncoderLayer::Cache& layer : cache.encoder.layers) {
    EXPECT_TRUE(same_bits(layer.self_attention.key_input, layer.self_attention.query_input));
    EXPECT_TRUE(same_bits(layer.self_attention.value_input, layer.self_attention.query_input));
  }
  for (const DecoderLayer::Cache& layer : cache.decoder.layers) {
    EXPECT_TRUE(same_bits(layer.self_attention.key_input, layer.self_attention.query_input));
    EXPECT_TRUE(same_bits(layer.self_attention.value_input, layer.self_attention.query_input));
  }
  EncoderLayer::Cache unused;
  const Tensor output = model.encoder.layers[0].forward(cache.encoder.layers[0].self_attention.query_input,
                                                        {.key_lengths = {5}}, dropout_of(0), unused);
  EXPECT_TRUE(same_bits(cache.encoder.layers[1].self_attention.query_input, output));
}

// "Each position in the encoder can attend to all positions in the previous layer of the encoder."
TEST_F(Section323, EachPositionInTheEncoderAttendsToAllPositions) {
  for (const EncoderLayer::Cache& layer : cache.encoder.layers)
    expect_positive_exactly_where(std::get<AttentionCache>(layer.self_attention.attention).weights,
                                  [](Index, Index) { return true; });
}

// "self-attention layers in the decoder allow each position in the decoder to attend to all positions in the
// decoder up to and including that position. We need to prevent leftward information flow".
TEST_F(Section323, EachPositionInTheDecoderAttendsUpToAndIncludingItself) {
  for (const DecoderLayer::Cache& layer : cache.decoder.layers)
    expect_positive_exactly_where(std::get<AttentionCache>(layer.self_attention.attention).weights,
                                  [](Index i, Index j) { return j <= i; });
}

// "We implement this inside of scaled dot-product attention by masking out (setting to -infinity) all values
// in the input of the softmax which correspond to illegal connections."
TEST_F(Section323, MaskingIsWhatMinusInfinityInTheInputOfTheSoftmaxWouldDo) {
  const Tensor query = random_tensor({1, 3, 4}, 1), key = random_tensor({1, 3, 4}, 2);
  const Tensor weights = weights_of(query, key, key, {.key_lengths = {3}, .causal = true});
  for (Index i = 0; i < 3; ++i) {
    double score[3], sum = 0;
    for (Index j = 0; j < 3; ++j) {
      score[j] = 0;
      for (Index d = 0; d < 4; ++d) score[j] += query.at({0, i, d}) * key.at({0, j, d}) / 2;  // sqrt(4)
      if (j > i) score[j] = -std::numeric_limits<double>::infinity();
      sum += std::exp(score[j]);
    }
    for (Index j = 0; j < 3; ++j)
      EXPECT_NEAR(weights.at({0, 0, i, j}), std::exp(score[j]) / sum, j > i ? 0 : 1e-6);
  }
}

}  // namespace
}  // namespace plainformer
