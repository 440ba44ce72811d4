#include "transformer/translation_batch.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/special_symbols.h"

namespace plainformer {
namespace {

TEST(TranslationBatch, PutsTheSpecialSymbolsWhereTheyBelong) {
  const TranslationBatch batch = TranslationBatch::from({{5, 6}, {7}}, {{8}, {9, 10, 11}});
  EXPECT_EQ(batch.source.ids, (std::vector<int>{5, 6, kEndId, 7, kEndId, kPadId}));
  EXPECT_EQ(batch.target_input.ids, (std::vector<int>{kStartId, 8, kPadId, kPadId, kStartId, 9, 10, 11}));
  EXPECT_EQ(batch.target_output.ids, (std::vector<int>{8, kEndId, kPadId, kPadId, 9, 10, 11, kEndId}));
  EXPECT_EQ(batch.target_input.lengths, batch.target_output.lengths);
}

TEST(TranslationBatch, CountsTokensWithoutPadding) {
  const TranslationBatch batch = TranslationBatch::from({{5, 6}, {7}}, {{8}, {9, 10, 11}});
  EXPECT_EQ(batch.source_tokens(), 5);
  EXPECT_EQ(batch.target_tokens(), 6);
}

TEST(TranslationBatch, NeedsPairs) {
  EXPECT_THROW(TranslationBatch::from({{5}, {6}}, {{7}}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
