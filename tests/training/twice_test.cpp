// Two passes over a batch in one.
#include "training/twice.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

TEST(Twice, HoldsTheSentencesAndThenTheSameOnceMore) {
  const TranslationBatch batch = TranslationBatch::from({{3, 4}, {5}}, {{6}, {7, 8}});
  const TranslationBatch both = twice(batch), four = TranslationBatch::from({{3, 4}, {5}, {3, 4}, {5}},
                                                                            {{6}, {7, 8}, {6}, {7, 8}});
  for (auto part :
       {&TranslationBatch::source, &TranslationBatch::target_input, &TranslationBatch::target_output}) {
    EXPECT_EQ((both.*part).batch, 4);
    EXPECT_EQ((both.*part).ids, (four.*part).ids);
    EXPECT_EQ((both.*part).lengths, (four.*part).lengths);
  }
}

}  // namespace
}  // namespace plainformer
