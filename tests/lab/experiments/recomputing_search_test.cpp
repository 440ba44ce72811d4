#include "lab/experiments/recomputing_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/check.h"
#include "decoding/greedy_search.h"
#include "decoding/tiny_model.h"

namespace plainformer {
namespace {

constexpr SearchLimits kTinyLimits = {.extra_length = 6};

std::vector<std::vector<int>> tokens_of(const std::vector<Hypothesis>& hypotheses) {
  std::vector<std::vector<int>> tokens;
  for (const Hypothesis& each : hypotheses) tokens.push_back(each.tokens);
  return tokens;
}

// The last row of the decoder's output.
std::vector<Real> last_output(const Transformer& model, const RecomputingSearch& search) {
  const Tensor output = decoder_output(model, {4, 5, 6}, {7, 8, 4, 9}, search);
  CHECK_SHAPE(output, 1, 5, model.config().d_model);
  return {output.data() + output.size() - model.config().d_model, output.data() + output.size()};
}

TEST(RecomputingSearch, FindsWhatTheGreedySearchFinds) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Transformer model = tiny_model(seed);
    const auto sources = random_sources(seed, 70);  // more than are computed together
    EXPECT_EQ(translate_recomputing(model, sources, kTinyLimits, {}),
              tokens_of(greedy_search(model, sources, kTinyLimits)));
  }
}

// In the first layer, the newest row reads the inputs of the others, which have not looked at anything yet. What it
// reads in the second layer are their outputs, and those depend on the mask.
TEST(RecomputingSearch, WithoutTheMaskOnlyTheSecondLayerReadsSomethingElse) {
  ModelConfig config = tiny_model(1).config();
  config.decoder_layers = 1;
  const Transformer one(config, 5), two = tiny_model(5);
  EXPECT_EQ(last_output(one, {.causal = true}), last_output(one, {.causal = false}));
  EXPECT_NE(last_output(two, {.causal = true}), last_output(two, {.causal = false}));
  const auto sources = random_sources(4, 20);
  EXPECT_EQ(translate_recomputing(one, sources, kTinyLimits, {.causal = false}),
            translate_recomputing(one, sources, kTinyLimits, {.causal = true}));
}

// Positions 3, 4, ... of one table are the positions 0, 1, ... of a table without its first three rows.
TEST(RecomputingSearch, MovesThePositionsOfBothSides) {
  ModelConfig config = tiny_model(1).config();
  config.positions = Positions::kLearned;
  const Transformer model(config, 3);
  Transformer shifted = model;
  Tensor& table = std::get<PositionEmbedding>(shifted.positions).table.value;
  std::rotate(table.mutable_data(), table.mutable_data() + 3 * config.d_model,
              table.mutable_data() + table.size());
  EXPECT_EQ(last_output(model, {.first_position = 3}), last_output(shifted, {}));
  EXPECT_NE(last_output(model, {.first_position = 3}), last_output(model, {}));
  const auto sources = random_sources(4, 20);
  EXPECT_EQ(translate_recomputing(model, sources, kTinyLimits, {.first_position = 3}),
            translate_recomputing(shifted, sources, kTinyLimits, {}));
}

}  // namespace
}  // namespace plainformer
