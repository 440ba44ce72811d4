#include "transformer/token_batch.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"

namespace plainformer {
namespace {

TEST(TokenBatch, PadsToTheLongestSentence) {
  const TokenBatch tokens = TokenBatch::from({{5, 6}, {7, 8, 9, 2}, {4}});
  EXPECT_EQ(tokens.batch, 3);
  EXPECT_EQ(tokens.len, 4);
  EXPECT_EQ(tokens.lengths, (std::vector<Index>{2, 4, 1}));
  EXPECT_EQ(tokens.ids, (std::vector<int>{5, 6, kPadId, kPadId, 7, 8, 9, 2, 4, kPadId, kPadId, kPadId}));
}

TEST(TokenBatch, MayBeEmptyOrHoldEmptySentences) {
  const TokenBatch none = TokenBatch::from({});
  EXPECT_EQ(none.batch, 0);
  EXPECT_EQ(none.len, 0);
  const TokenBatch one_empty = TokenBatch::from({{}, {7}});
  EXPECT_EQ(one_empty.ids, (std::vector<int>{kPadId, 7}));
  EXPECT_EQ(one_empty.lengths, (std::vector<Index>{0, 1}));
}

TEST(TokenBatch, TheSpecialSymbolsAreTheContracts) {
  EXPECT_EQ(kPadId, 0);
  EXPECT_EQ(kStartId, 1);
  EXPECT_EQ(kEndId, 2);
  EXPECT_EQ(kUnknownId, 3);
}

}  // namespace
}  // namespace plainformer
