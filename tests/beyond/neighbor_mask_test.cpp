#include "beyond/neighbor_mask.h"

#include <gtest/gtest.h>

#include <string>

namespace plainformer {
namespace {

// A line for each query: '1' for a visible key, and '*' for every key of a global position's query, which
// attends by itself.
std::string picture(const NeighborMask& mask, Index element, Index len) {
  std::string text;
  for (Index query = 0; query < len; ++query) {
    std::string line(len, query < mask.global ? '*' : '.');
    if (query >= mask.global) {
      const NeighborKeys keys = mask.visible_keys(element, query);
      for (Index s = 0; s < keys.count(); ++s) line[keys[s]] = line[keys[s]] == '.' ? '1' : '2';
    }
    text += line + '\n';
  }
  return text;
}

TEST(NeighborMask, ACenteredWindow) {
  EXPECT_EQ(picture({.key_lengths = {5}, .neighbors = 3}, 0, 5),
            "11...\n"
            "111..\n"
            ".111.\n"
            "..111\n"
            "...11\n");
}

TEST(NeighborMask, ACausalWindowEndsAtTheQuery) {
  EXPECT_EQ(picture({.key_lengths = {5}, .neighbors = 2, .causal = true}, 0, 5),
            "1....\n"
            "11...\n"
            ".11..\n"
            "..11.\n"
            "...11\n");
}

TEST(NeighborMask, GlobalPositionsAreSeenByAllAndNoKeyTwice) {
  EXPECT_EQ(picture({.key_lengths = {6}, .neighbors = 3, .causal = false, .global = 2}, 0, 6),
            "******\n"
            "******\n"
            "1111..\n"
            "11111.\n"
            "11.111\n"
            "11..11\n");
}

TEST(NeighborMask, NobodySeesPadding) {
  const NeighborMask mask = {.key_lengths = {5, 3, 0}, .neighbors = 3, .causal = false, .global = 1};
  EXPECT_EQ(picture(mask, 1, 5), "*****\n111..\n111..\n1.1..\n1....\n");
  EXPECT_EQ(picture(mask, 2, 5), "*****\n.....\n.....\n.....\n.....\n");
}

TEST(NeighborMask, CountsTheKeysOfEachRowOfScores) {
  const NeighborMask mask = {.key_lengths = {4, 2}, .neighbors = 2, .causal = true, .global = 1};
  EXPECT_EQ(mask.visible_keys_of_scores(2, 4), (std::vector<Index>{0, 2, 3, 3,  //
                                                                   0, 2, 3, 3,  //
                                                                   0, 2, 2, 1,  //
                                                                   0, 2, 2, 1}));
}

}  // namespace
}  // namespace plainformer
