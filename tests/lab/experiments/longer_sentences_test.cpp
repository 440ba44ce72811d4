#include "lab/experiments/longer_sentences.h"

#include <gtest/gtest.h>

#include "decoding/sequence_score.h"
#include "evaluation/bleu.h"
#include "lab/experiments/recomputing_search.h"

namespace plainformer {
namespace {

class LongerSentences : public testing::Test {
 protected:
  TranslatorText text = translator_text({.seed = 1, .learning_rate = 0.003, .pairs = 300, .held_out = 30});
  std::vector<SentencePair> pairs = text.corpora.valid;
};

TEST(LengthsOfPairs, AreThoseOfTheLongerSide) {
  const std::vector<SentencePair> pairs = {{{4, 5}, {6}}, {{4}, {5, 6, 7}}, {{4, 5}, {5, 6}}};
  EXPECT_EQ(length_of(pairs[0]), 2);
  EXPECT_EQ(length_of(pairs[1]), 3);
  const std::vector<SentencePair> kept = not_longer(pairs, 2);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[1].target, (std::vector<int>{5, 6}));
}

TEST_F(LongerSentences, EachLengthHasItsOwnSentencesAndLoss) {
  const Transformer model(text.settings.model, 1);
  Index sentences = 0;
  double loss = 0;
  Index tokens = 0;
  for (Index length = 1; length <= 30; ++length) {
    const LengthResult result = test_length(model, text, pairs, length);
    sentences += result.sentences;
    EXPECT_EQ(result.exact, 0);
    Index tokens_here = 0;
    for (const SentencePair& pair : pairs)
      if (length_of(pair) == length) tokens_here += std::ssize(pair.target) + 1;
    EXPECT_EQ(result.loss > 0, tokens_here > 0);
    loss += result.loss * static_cast<double>(tokens_here);
    tokens += tokens_here;
  }
  EXPECT_EQ(sentences, 30);
  double expected = 0;
  for (const SentencePair& pair : pairs)
    expected -= score_sequences(model, {pair.source}, {pair.target})[0].log_probability;
  EXPECT_NEAR(loss / expected, 1, 1e-5);
  EXPECT_GT(tokens, 200);
}

// The model's own translations are right by definition, where their positions begin at 0.
TEST_F(LongerSentences, MovedSentencesAreReadFromOtherPositions) {
  const Transformer model(text.settings.model, 1);
  TokenSequences sources;
  for (const SentencePair& pair : pairs) sources.push_back(pair.source);
  const TokenSequences translations = translate_recomputing(model, sources, kToyLimits, {});
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].target = translations[i];
  const Index length = length_of(pairs[0]);
  EXPECT_EQ(test_moved(model, text, pairs, length, 0).exact, 100);
  const LengthResult moved = test_moved(model, text, pairs, length, 40);
  EXPECT_GE(moved.sentences, 1);
  EXPECT_LT(moved.exact, 100);
}

TEST_F(LongerSentences, TheModelIsTrainedAsTheTranslatorIs) {
  const Transformer model = train_transformer(text, 2, [] {});
  TranslatorTraining other(TranslatorKind::kTransformer, text);
  other.train_until(2, [] {});
  const TranslatorResult expected = other.test();
  const TokenSequences translations = greedy_translations(model, text);
  EXPECT_EQ(corpus_bleu(text_of(translations, text), text.test.references).score, expected.bleu);
  EXPECT_EQ(percent_right(translations, text), 0);
  text.test.references = text_of(translations, text);
  text.test.references[0] += " x";
  EXPECT_NEAR(percent_right(translations, text), 100.0 * 29 / 30, 1e-9);
}

}  // namespace
}  // namespace plainformer
