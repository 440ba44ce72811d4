// The account of a step: by hand, and against the multiply-adds that a step really makes.
#include "show/cost/training_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "show/cost/training_step.h"

namespace plainformer {
namespace {

// 3 sentences of 5 and 7 positions: 15 in the source, 21 in the target.
const ModelConfig kSmall = {
    .d_model = 4, .d_ff = 6, .heads = 2, .encoder_layers = 1, .decoder_layers = 1, .vocab = 11};
const BatchShape kBatch = BatchShape::equal_lengths(3, 5, 7);

// --- by hand

TEST(TrainingOperations, ByHand) {
  const double encoder = 4 * 15 * 16 + 2 * 3 * 5 * 5 * 4 + 2 * 15 * 4 * 6;
  const double decoder = 4 * 21 * 16 + 2 * 3 * 7 * 7 * 4                  // to itself
                         + 2 * 21 * 16 + 2 * 15 * 16 + 2 * 3 * 7 * 5 * 4  // to the encoder
                         + 2 * 21 * 4 * 6;
  EXPECT_EQ(training_operations(kSmall, kBatch), 6 * (encoder + decoder + 21 * 4 * 11));
  ModelConfig three_layers = kSmall;
  three_layers.encoder_layers = three_layers.decoder_layers = 3;
  EXPECT_EQ(training_operations(three_layers, kBatch), 6 * (3 * (encoder + decoder) + 21 * 4 * 11));
}

TEST(TrainingCost, OfEachPartByHand) {
  ModelConfig config = kSmall;
  config.encoder_layers = 2;
  config.decoder_layers = 3;
  const TrainingCost cost = training_cost(config, kBatch, TrainingMethod::of_equations());
  const auto expect = [&](Part part, std::int64_t parameters, std::int64_t forward) {
    EXPECT_EQ(cost[part].parameters, parameters) << name_of(part);
    EXPECT_EQ(cost[part].forward, forward) << name_of(part);
    EXPECT_EQ(cost[part].backward, 2 * forward) << name_of(part);
  };
  expect(Part::kEmbedding, 11 * 4, 0);
  expect(Part::kEncoderProjections, 2 * 4 * 16, 2 * 4 * 15 * 16);
  expect(Part::kEncoderAttention, 0, 2 * 2 * 3 * 5 * 5 * 4);
  expect(Part::kEncoderFeedForward, 2 * (2 * 24 + 6 + 4), 2 * 2 * 15 * 24);
  expect(Part::kEncoderNorms, 2 * 2 * 2 * 4, 0);
  expect(Part::kDecoderProjections, 3 * 4 * 16, 3 * 4 * 21 * 16);
  expect(Part::kDecoderAttention, 0, 3 * 2 * 3 * 7 * 7 * 4);
  expect(Part::kEncoderDecoderProjections, 3 * 4 * 16, 3 * (2 * 21 + 2 * 15) * 16);
  expect(Part::kEncoderDecoderAttention, 0, 3 * 2 * 3 * 7 * 5 * 4);
  expect(Part::kDecoderFeedForward, 3 * (2 * 24 + 6 + 4), 3 * 2 * 21 * 24);
  expect(Part::kDecoderNorms, 3 * 3 * 2 * 4, 0);
  expect(Part::kOutputProjection, 0, 21 * 4 * 11);
  expect(Part::kOptimizer, 0, 0);
}

// 2 tiles of 4 queries, lengths 5 and 3 of 5 positions. Encoder: all queries see 5 or 3 keys. Decoder: up to
// 4 and 5 keys in the first sentence, up to 3 in the second.
TEST(TrainingCost, OfTilesByHand) {
  const BatchShape padded = {.source_lengths = {5, 3}, .target_lengths = {5, 3}};
  const TrainingMethod tiles = {.attention = Way::kFast, .queries_of_tile = 4};
  const TrainingCost cost = training_cost(kSmall, padded, tiles);
  const std::int64_t encoder = 5 * 5 + 5 * 3, decoder = 4 * 4 + 1 * 5 + 5 * 3;
  EXPECT_EQ(cost[Part::kEncoderAttention].forward, encoder * 8);
  EXPECT_EQ(cost[Part::kEncoderAttention].backward, encoder * 20);
  EXPECT_EQ(cost[Part::kDecoderAttention].forward, decoder * 8);
  EXPECT_EQ(cost[Part::kDecoderAttention].backward, decoder * 20);
  EXPECT_EQ(cost[Part::kEncoderDecoderAttention].forward, encoder * 8);
}

// Each operation of one encoder layer, which reads its inputs once and writes its result once.
TEST(TrainingCost, BytesByHand) {
  const TrainingMethod fast = {
      .attention = Way::kFast, .queries_of_tile = 32, .cross_entropy = Way::kFast, .rows_of_logits = 256};
  const TrainingCost cost = training_cost(kSmall, kBatch, fast);
  const std::int64_t x = 15 * 4, w = 16, hidden = 15 * 6;
  // Forward reads x and W and writes y; backward makes two such products, one of which adds to its result.
  const std::int64_t linear = (2 * x + w) + (3 * x - x) * 2 + 3 * w;
  EXPECT_EQ(cost[Part::kEncoderProjections].bytes, std::int64_t{sizeof(Real)} * (4 * linear + 3 * 3 * x));
  // q, k, v and the output, and a number for each query of each head; backward also their gradients.
  EXPECT_EQ(cost[Part::kEncoderAttention].bytes, std::int64_t{sizeof(Real)} * (4 * x + 30 + 8 * x + 30));
  const std::int64_t ends = x + hidden, w_1 = 24;
  const std::int64_t two_products = 2 * (ends + w_1 + 2 * ends + 3 * w_1), biases = (6 + 4) * 3 + hidden + x;
  EXPECT_EQ(cost[Part::kEncoderFeedForward].bytes,
            std::int64_t{sizeof(Real)} * (two_products + biases + 5 * hidden + 3 * x));
  EXPECT_EQ(cost[Part::kEncoderNorms].bytes, std::int64_t{sizeof(Real)} * 2 * (4 + 3 + 7) * x);
  EXPECT_EQ(cost[Part::kOptimizer].bytes, std::int64_t{sizeof(Real)} * 9 * cost.total().parameters);
}

// --- against what runs

TEST(TrainingCost, CountsTheParametersOfTheModel) {
  for (const CostExample& example : cost_examples()) {
    Transformer model(example.config, 1);
    std::int64_t elements = 0;
    for (const NamedParameter& each : model.parameters()) elements += each.parameter->value.size();
    EXPECT_EQ(parameter_cost(example.config).total().parameters, elements) << example.name;
  }
}

}  // namespace
}  // namespace plainformer
