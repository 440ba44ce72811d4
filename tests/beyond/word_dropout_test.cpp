// Word dropout: <unk> in place of what the model reads.
#include "beyond/word_dropout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "training/tiny_training.h"

namespace plainformer {
namespace {

RandomStream stream(std::uint64_t seed) {
  return random_stream(seed, 0, 0);
}

TEST(WordDropout, HidesWhatTheModelReadsAndNotWhatItPredicts) {
  const TranslationBatch batch = tiny_batch();
  TranslationBatch hidden = batch;
  hide_words(hidden, 1, stream(1));
  EXPECT_EQ(hidden.target_output.ids, batch.target_output.ids);
  for (const auto& [before, after] :
       {std::pair{&batch.source, &hidden.source}, std::pair{&batch.target_input, &hidden.target_input}}) {
    EXPECT_EQ(after->lengths, before->lengths);
    for (std::size_t i = 0; i < before->ids.size(); ++i) {
      const bool is_word = before->ids[i] >= kSpecialSymbols;
      EXPECT_EQ(after->ids[i], is_word ? kUnknownId : before->ids[i]);
    }
  }
}

TEST(WordDropout, HidesTheRightFraction) {
  const std::vector<std::vector<int>> words(10, std::vector<int>(1000, 7));
  TranslationBatch batch = TranslationBatch::from(words, words);
  hide_words(batch, 0.2, stream(1));
  for (const TokenBatch* tokens : {&batch.source, &batch.target_input}) {
    const auto hidden = std::count(tokens->ids.begin(), tokens->ids.end(), kUnknownId);
    EXPECT_NEAR(static_cast<double>(hidden), 2000, 4 * std::sqrt(10000 * 0.2 * 0.8));
  }
}

TEST(WordDropout, IsTheSameForTheSameStream) {
  TranslationBatch one = tiny_batch(), same = tiny_batch(), other = tiny_batch();
  hide_words(one, 0.5, stream(1));
  hide_words(same, 0.5, stream(1));
  hide_words(other, 0.5, stream(2));
  EXPECT_EQ(one.source.ids, same.source.ids);
  EXPECT_NE(one.source.ids, other.source.ids);
}

}  // namespace
}  // namespace plainformer
