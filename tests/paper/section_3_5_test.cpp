// Paper: 3.5 Positional Encoding. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/small_model.h"

namespace plainformer {
namespace {

constexpr Index kColumns = 8, kLength = 100;

// 1 / 10000^(2i / d_model)
double frequency(Index i) {
  return std::pow(10000.0, -2.0 * static_cast<double>(i) / kColumns);
}

// "in order for the model to make use of the order of the sequence, we must inject some information about the
// ... position of the tokens": without, an encoder that gets its words in another order gives the same
// vectors in that order.
TEST(Section35, WithoutPositionsTheOrderWouldNotMatter) {
  Transformer model(small_config(), 1);
  randomize(model.parameters(), 10);
  const TokenBatch sentence = TokenBatch::from({{4, 5, 6, 7}}), reversed = TokenBatch::from({{7, 6, 5, 4}});
  const AttentionMask mask = {.key_lengths = {4}, .causal = false};
  const auto largest_difference = [&](const Tensor& x, const Tensor& y) {  // of x to y read backwards
    double largest = 0;
    for (Index i = 0; i < 4; ++i)
      for (Index d = 0; d < 6; ++d)
        largest = std::max(largest, std::abs(double(x.at({0, i, d})) - double(y.at({0, 3 - i, d}))));
    return largest;
  };
  Encoder::Cache cache;
  const auto encode_without_positions = [&](const TokenBatch& tokens) {
    return model.encoder.forward(embedding_forward(tokens, model.embedding), mask, dropout_of(0), cache);
  };
  EXPECT_LT(largest_difference(encode_without_positions(sentence), encode_without_positions(reversed)), 1e-4);
  EXPECT_GT(largest_difference(model.encode(sentence), model.encode(reversed)), 1e-2);
}

// "we add 'positional encodings' to the input embeddings at the bottoms of the encoder and decoder stacks."
TEST(Section35, AddsPositionalEncodingsAtTheBottomsOfBothStacks) {
  const Transformer model(small_config(), 1);
  const TranslationBatch batch = small_batch();
  Transformer::Cache cache;
  model.forward(batch.source, batch.target_input, dropout_of(0), cache);
  const PositionalEncoding encoding(16, 6);
  EXPECT_TRUE(same_bits(cache.encoder.layers[0].self_attention.query_input,
                        encoding.forward(embedding_forward(batch.source, model.embedding))));
  EXPECT_TRUE(same_bits(cache.decoder.layers[0].self_attention.query_input,
                        encoding.forward(embedding_forward(batch.target_input, model.embedding))));
}

// "The positional encodings have the same dimension d_model as the embeddings, so that the two can be
// summed."
TEST(Section35, HaveTheSameDimensionAsTheEmbeddings) {
  const PositionalEncoding encoding(kLength, kColumns);
  EXPECT_EQ(encoding.table.value.shape(), (Shape{kLength, kColumns}));
}

// "PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(pos / 10000^(2i/d_model))".
TEST(Section35, AreSinesAndCosinesInTurn) {
  const PositionalEncoding encoding(kLength, kColumns);
  for (Index pos = 0; pos < kLength; ++pos)
    for (Index i = 0; i < kColumns / 2; ++i) {
      const double angle = static_cast<double>(pos) * frequency(i);
      EXPECT_NEAR(encoding.table.value.at({pos, 2 * i}), std::sin(angle), 1e-6);
      EXPECT_NEAR(encoding.table.value.at({pos, 2 * i + 1}), std::cos(angle), 1e-6);
    }
}

// "The wavelengths form a geometric progression from 2 pi to 10000 * 2 pi." A wavelength is read off the
// table: it is 2 pi over the angle from position 0 to 1. (The last is one step short of 10000 * 2 pi, as 2i <
// d_model.)
TEST(Section35, TheWavelengthsFormAGeometricProgression) {
  const PositionalEncoding encoding(2, kColumns);
  const double ratio = std::pow(10000.0, 2.0 / kColumns);
  double expected = 2 * std::numbers::pi;
  for (Index i = 0; i < kColumns / 2; ++i) {
    const double angle =
        std::atan2(encoding.table.value.at({1, 2 * i}), encoding.table.value.at({1, 2 * i + 1}));
    EXPECT_NEAR(2 * std::numbers::pi / angle / expected, 1, 1e-5);
    expected *= ratio;
  }
  EXPECT_NEAR(expected, 10000 * 2 * std::numbers::pi, 1e-6);
}

// "for any fixed offset k, PE_(pos+k) can be represented as a linear function of PE_pos": each pair of
// columns is turned by the angle k * frequency, whatever the position.
TEST(Section35, SinusoidsAreAFixedOffsetLinearFunction) {
  const PositionalEncoding encoding(kLength, kColumns);
  for (Index k : {1, 7, 30})
    for (Index i = 0; i < kColumns / 2; ++i) {
      const double c = std::cos(double(k) * frequency(i)), s = std::sin(double(k) * frequency(i));
      for (Index pos = 0; pos + k < kLength; ++pos) {
        const double sine = encoding.table.value.at({pos, 2 * i}),
                     cosine = encoding.table.value.at({pos, 2 * i + 1});
        EXPECT_NEAR(encoding.table.value.at({pos + k, 2 * i}), c * sine + s * cosine, 1e-6);
        EXPECT_NEAR(encoding.table.value.at({pos + k, 2 * i + 1}), c * cosine - s * sine, 1e-6);
      }
    }
}

// "We also experimented with using learned positional embeddings instead": vectors of the same dimension, in
// the same place, which a training run changes.
TEST(Section35, CanUseLearnedPositionalEmbeddingsInstead) {
  Transformer model(small_config_with_learned_positions(), 1);
  const PositionalEncoding& learned = model.positions;
  const TranslationBatch batch = small_batch();
  Transformer::Cache cache;
  model.forward(batch.source, batch.target_input, dropout_of(0), cache);
  for (const auto& [tokens, input] :
       {std::pair(batch.source, cache.encoder.layers[0].self_attention.query_input),
        std::pair(batch.target_input, cache.decoder.layers[0].self_attention.query_input)}) {
    const Tensor embedded = embedding_forward(tokens, model.embedding);
    EXPECT_TRUE(same_bits(input, learned.forward(embedded)));
  }
  backpropagate(model, batch, dropout_of(0));
  EXPECT_GT(dot(learned.table.grad, learned.table.grad), 0);
}

// "it may allow the model to extrapolate to sequence lengths longer than the ones encountered during
// training": a longer table begins with the shorter one.
TEST(Section35, AllowsSequencesLongerThanInTraining) {
  const PositionalEncoding trained(10, kColumns), longer(1000, kColumns);
  for (Index pos = 0; pos < 10; ++pos)
    for (Index d = 0; d < kColumns; ++d)
      EXPECT_EQ(longer.table.value.at({pos, d}), trained.table.value.at({pos, d}));
}

}  // namespace
}  // namespace plainformer
