#include "lab/experiments/translator_training.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plainformer {
namespace {

constexpr TranslatorTextOptions kSmallText = {.seed = 1, .learning_rate = 0.003, .pairs = 300, .held_out = 5};

// One product after the other, whatever the length. With attention nine for each token: four in the encoder (two
// directions), and in the decoder the query, the scores, the input and the two of the unit. Without it two in each unit.
TEST(TranslatorTraining, OnlyTheRecurrentTranslatorsWaitForEachToken) {
  const auto more = [](TranslatorKind kind) {
    return waiting_operations(kind, 12) - waiting_operations(kind, 7);
  };
  EXPECT_EQ(more(TranslatorKind::kTransformer), 0);
  EXPECT_EQ(more(TranslatorKind::kRecurrent), 9 * 5);
  EXPECT_EQ(more(TranslatorKind::kChain), 4 * 5);
}

TEST(TranslatorTraining, GoesOnWhereItStopped) {
  TranslatorText text = translator_text(kSmallText);
  EXPECT_NEAR(text.settings.training.learning_rate.at(300), 0.003, 1e-9);
  EXPECT_EQ(text.test.references.size(), 5u);
  const struct {
    TranslatorKind kind;
    Index thousands_of_weights;
  } cases[] = {
      {TranslatorKind::kTransformer, 695}, {TranslatorKind::kRecurrent, 685}, {TranslatorKind::kChain, 692}};
  for (const auto& [kind, thousands_of_weights] : cases) {
    TranslatorTraining together(kind, text), apart(kind, text);
    EXPECT_EQ(together.weights() / 1000, thousands_of_weights);
    Index steps = 0;
    together.train_until(2, [&] { ++steps; });
    for (const Index until : {1, 2}) apart.train_until(until, [] {});
    EXPECT_EQ(steps, 2);
    const TranslatorResult one = together.test(), other = apart.test();
    EXPECT_EQ(one.bleu, other.bleu);
    EXPECT_EQ(one.right.size(), 5u);
    EXPECT_EQ(one.multiply_adds, other.multiply_adds);
    EXPECT_GT(one.multiply_adds, 1e6);
    EXPECT_GT(one.seconds, 0);
  }
}

}  // namespace
}  // namespace plainformer
