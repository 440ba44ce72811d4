// Paper: 2 Background. A test for each sentence that compares attention with other layers.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/attention.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// Two words with opposite values, which match the query equally well in every head: or, in turn, one of them
// in each head. Which one stands first makes no difference to an average.
class Resolution : public testing::Test {
 protected:
  static Tensor attend(const std::vector<double>& values, bool each_head_has_its_word) {
    constexpr double kMatch = 100;
    const double other = each_head_has_its_word ? -kMatch : kMatch;
    const Tensor query = tensor({1, 1, 2}, {1, 1});                        // a column for each head
    const Tensor key = tensor({1, 2, 2}, {kMatch, other, other, kMatch});  // a row for each word
    const Tensor value = tensor({1, 2, 2}, {values[0], values[0], values[1], values[1]});
    MultiHeadAttention::Cache not_kept;
    return heads_of(2, query, value).attend(query, key, value, {.key_lengths = {2}}, not_kept);
  }
};

// "... albeit at the cost of reduced effective resolution due to averaging attention-weighted positions, an
// effect we counteract with Multi-Head Attention".
TEST_F(Resolution, IsReducedByAveraging) {
  EXPECT_TRUE(near(attend({3, 5}, false), {1, 1, 2}, {4, 4}));
  EXPECT_TRUE(near(attend({5, 3}, false), {1, 1, 2}, {4, 4}));
}
TEST_F(Resolution, IsRestoredByHeadsThatAttendToDifferentPositions) {
  EXPECT_TRUE(near(attend({3, 5}, true), {1, 1, 2}, {3, 5}));
  EXPECT_TRUE(near(attend({5, 3}, true), {1, 1, 2}, {5, 3}));
}

// "Self-attention ... is an attention mechanism relating different positions of a single sequence in order to
// compute a representation of the sequence": one layer relates every position to every other.
TEST(Section2, SelfAttentionRelatesDifferentPositionsOfASingleSequence) {
  constexpr Index kLen = 5, kChannels = 4;
  const AttentionMask mask = {.key_lengths = {kLen}, .causal = false};
  const Tensor x = random_tensor({1, kLen, kChannels}, 1);
  const Tensor output = attend(x, x, x, mask);
  for (Index changed = 0; changed < kLen; ++changed) {
    Tensor other = x;
    other.mutable_data()[changed * kChannels] += 1;
    const Tensor other_output = attend(other, other, other, mask);
    for (Index i = 0; i < kLen; ++i)
      EXPECT_FALSE(std::equal(output.data() + i * kChannels, output.data() + (i + 1) * kChannels,
                              other_output.data() + i * kChannels))
          << changed << " is not seen by " << i;
  }
}

}  // namespace
}  // namespace plainformer
