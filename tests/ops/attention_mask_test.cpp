#include "ops/attention_mask.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace plainformer {
namespace {

TEST(AttentionMask, PaddingHidesASuffixOfTheKeys) {
  const AttentionMask mask = {.key_lengths = {3, 5}, .causal = false};
  EXPECT_EQ(mask.to_string(0, 2, 5),
            "111..\n"
            "111..\n");
  EXPECT_EQ(mask.to_string(1, 2, 5),
            "11111\n"
            "11111\n");
}

TEST(AttentionMask, CausalityHidesTheFuture) {
  const AttentionMask mask = {.key_lengths = {4}, .causal = true};
  EXPECT_EQ(mask.to_string(0, 4, 4),
            "1...\n"
            "11..\n"
            "111.\n"
            "1111\n");
}

TEST(AttentionMask, BothTogetherHideWhatEitherHides) {
  const AttentionMask mask = {.key_lengths = {2}, .causal = true};
  EXPECT_EQ(mask.to_string(0, 4, 4),
            "1...\n"
            "11..\n"
            "11..\n"
            "11..\n");
}

TEST(AttentionMask, MayHideEverything) {
  const AttentionMask padding = {.key_lengths = {0}, .causal = false},
                      both = {.key_lengths = {0}, .causal = true};
  EXPECT_EQ(padding.to_string(0, 2, 3), "...\n...\n");
  EXPECT_EQ(both.to_string(0, 2, 3), "...\n...\n");
}

TEST(AttentionMask, CountsTheVisibleKeysOfEveryRowOfTheScores) {
  const AttentionMask mask = {.key_lengths = {2, 3}, .causal = true};
  EXPECT_EQ(mask.batch(), 2);
  // [batch, heads, query_len]: two heads see the same.
  EXPECT_EQ(mask.visible_keys_of_scores(2, 3, 3), (std::vector<Index>{1, 2, 2, 1, 2, 2, 1, 2, 3, 1, 2, 3}));
}

TEST(AttentionMask, RefusesLengthsThatDoNotFit) {
  const AttentionMask too_long = {.key_lengths = {5, 6}, .causal = false};
  EXPECT_THROW(too_long.visible_keys_of_scores(2, 3, 5), std::logic_error);
  const AttentionMask negative = {.key_lengths = {-1}, .causal = false};
  EXPECT_THROW(negative.visible_keys_of_scores(2, 3, 5), std::logic_error);
}

}  // namespace
}  // namespace plainformer
