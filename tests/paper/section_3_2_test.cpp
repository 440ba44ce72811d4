// Paper: 3.2 Attention. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include "support/attention.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

const AttentionMask kThreeKeys = {.key_lengths = {3}, .causal = false};

// "The output is computed as a weighted sum of the values".
TEST(Section32, TheOutputIsAWeightedSumOfTheValues) {
  const Tensor query = random_tensor({1, 2, 4}, 1), key = random_tensor({1, 3, 4}, 2);
  const Tensor value = random_tensor({1, 3, 5}, 3);
  const Tensor weights = weights_of(query, key, value, kThreeKeys);
  const Tensor output = attend(query, key, value, kThreeKeys);
  for (Index i = 0; i < 2; ++i)
    for (Index d = 0; d < 5; ++d) {
      double sum = 0;
      for (Index j = 0; j < 3; ++j) sum += weights.at({0, 0, i, j}) * value.at({0, j, d});
      EXPECT_NEAR(output.at({0, i, d}), sum, 1e-6);
    }
}

// "the weight assigned to each value is computed by a compatibility function of the query with the
// corresponding key": the values have no part in it, and a better match gets more.
TEST(Section32, TheWeightComesFromTheQueryAndTheCorrespondingKey) {
  const Tensor query = tensor({1, 1, 2}, {1, 0});
  const Tensor key = tensor({1, 3, 2}, {-1, 0, 0, 1, 1, 0});  // opposite, orthogonal, the same
  const Tensor weights = weights_of(query, key, random_tensor({1, 3, 5}, 1), kThreeKeys);
  const Tensor others = weights_of(query, key, random_tensor({1, 3, 5}, 2), kThreeKeys);
  EXPECT_TRUE(same_bits(weights, others));
  EXPECT_LT(weights.at({0, 0, 0, 0}), weights.at({0, 0, 0, 1}));
  EXPECT_LT(weights.at({0, 0, 0, 1}), weights.at({0, 0, 0, 2}));
}

}  // namespace
}  // namespace plainformer
