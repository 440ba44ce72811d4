// Paper: 3.2.1 Scaled Dot-Product Attention. A sentence that says how trained models compare, held to small training runs.
#include <gtest/gtest.h>

#include "lab/experiments/lookup_training.h"

namespace plainformer {
namespace {

// "While for small values of d_k the two mechanisms perform similarly, additive attention outperforms dot
// product attention without scaling for larger values of d_k." Here on recall of one pair out of 8.
TEST(Section321Measured, AdditiveAttentionOutperformsUnscaledDotProductsForLargerDk) {
  const RecallTask task = {.pairs = 8, .keys = 16, .values = 8};
  const auto accuracy = [&](Score score, Index d_k) {
    return train_lookup(
               {.score = score, .symbols = task.symbols(), .d_model = 32, .d_k = d_k, .classes = task.values},
               [&](Index batch, Random& random) { return task.draw(batch, random); },
               {.steps = 100, .learning_rate = 0.01, .held_out = 256})
        .accuracy;
  };
  EXPECT_NEAR(accuracy(Score::kAdditive, 8), accuracy(Score::kDotProduct, 8), 0.1);
  EXPECT_GT(accuracy(Score::kAdditive, 64), accuracy(Score::kDotProduct, 64) + 0.2);
}

}  // namespace
}  // namespace plainformer
