#include "transformer/token_batch.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "ops/cross_entropy.h"

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

TEST(TranslationBatch, PutsTheSpecialSymbolsWhereTheyBelong) {
  const TranslationBatch batch = TranslationBatch::from({{5, 6}, {7}}, {{8}, {9, 10, 11}});
  EXPECT_EQ(batch.source.ids, (std::vector<int>{5, 6, kEndId, 7, kEndId, kPadId}));
  EXPECT_EQ(batch.target_input.ids, (std::vector<int>{kStartId, 8, kPadId, kPadId, kStartId, 9, 10, 11}));
  EXPECT_EQ(batch.target_output.ids, (std::vector<int>{8, kEndId, kPadId, kPadId, 9, 10, 11, kEndId}));
  EXPECT_EQ(batch.target_input.lengths, batch.target_output.lengths);
  EXPECT_EQ(batch.targets(), (std::vector<int>{8, kEndId, kNoTarget, kNoTarget, 9, 10, 11, kEndId}));
  EXPECT_EQ(batch.source_tokens(), 5);
  EXPECT_EQ(batch.target_tokens(), 6);
}

TEST(TranslationBatch, NeedsPairs) {
  EXPECT_THROW(TranslationBatch::from({{5}, {6}}, {{7}}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
