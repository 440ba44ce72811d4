#include "decoding/greedy_search.h"

#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "decoding/tiny_model.h"

namespace plainformer {
namespace {

// Greedy search as one would write it without batches: the whole model at every step, for one sentence.
std::vector<int> greedy_by_hand(const Transformer& model, std::vector<int> source, Index limit) {
  source.push_back(kEndId);
  std::vector<int> target = {kStartId};
  while (static_cast<Index>(target.size()) - 1 < limit) {
    const Tensor logits = logits_of(model, TokenBatch::from({source}), TokenBatch::from({target}));
    const Index vocab = logits.dim(2);
    const Real* newest = logits.data() + logits.size() - vocab;
    int best = kEndId;
    for (int token = kUnknownId; token < vocab; ++token) best = newest[token] > newest[best] ? token : best;
    if (best == kEndId) break;
    target.push_back(best);
  }
  return {target.begin() + 1, target.end()};
}

TEST(GreedySearch, TakesTheMostProbableTokenAtEveryPosition) {
  std::size_t ended_early = 0, reached_the_limit = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Transformer model = tiny_model(seed);
    const auto sources = random_sources(seed, 5);
    const auto translations = greedy_search(model, sources, {.extra_length = 6});
    ASSERT_EQ(translations.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Index limit = static_cast<Index>(sources[i].size()) + 6;
      EXPECT_EQ(translations[i].tokens, greedy_by_hand(model, sources[i], limit))
          << "seed " << seed << ", " << i;
      ++(static_cast<Index>(translations[i].tokens.size()) < limit ? ended_early : reached_the_limit);
    }
  }
  EXPECT_GT(ended_early, 0u);  // both ways to end occurred
  EXPECT_GT(reached_the_limit, 0u);
}

// The loop takes any model. This one repeats the number after <s>, and ends after it came twice; the limit
// cuts.
TEST(GreedySearch, TheLoopAsksOnlyForTheNextToken) {
  for (const Index limit : {5, 1}) {
    std::vector<int> read;
    const auto next_logits = [&](int newest) {
      read.push_back(newest);
      Tensor logits = Tensor::zeros({1, 1, 7});
      logits.mutable_data()[read.size() < 3 ? 6 : kEndId] = 9;
      return logits;
    };
    const Hypothesis translation = greedy_translation(next_logits, limit);
    EXPECT_EQ(translation.tokens, std::vector<int>(std::min<std::size_t>(2, limit), 6));
    EXPECT_EQ(read.front(), kStartId);
    EXPECT_EQ(std::ssize(read), std::ssize(translation.tokens) + 1);
    EXPECT_EQ(translation.score, translation.log_probability);
  }
}

TEST(GreedySearch, ASentenceDoesNotDependOnItsBatch) {
  const Transformer model = tiny_model(3);
  const auto sources = random_sources(3, 7);
  const auto together = greedy_search(model, sources, {});
  for (std::size_t i = 0; i < sources.size(); ++i)
    EXPECT_EQ(greedy_search(model, {sources[i]}, {}).front().tokens, together[i].tokens);
}

// With all weights zero all tokens are equally probable, and the lowest id that may be produced is </s>.
TEST(GreedySearch, OfEquallyProbableTokensTakesTheLowestId) {
  Transformer model = tiny_model(0);
  model.embedding = Parameter(Tensor::zeros(model.embedding.value.shape()));
  const auto translations = greedy_search(model, {{4, 5}}, {});
  ASSERT_EQ(translations.size(), 1u);
  EXPECT_TRUE(translations[0].tokens.empty());
}

TEST(GreedySearch, NeverProducesPaddingOrStart) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Transformer model = tiny_model(seed);
    // Long embeddings of <pad> and <s>, of opposite signs: at each step the logit of one of them is large.
    std::fill_n(model.embedding.value.mutable_data(), 2 * model.config().d_model, Real{1});
    const Index d_model = model.config().d_model;
    for (Index i = 0; i < 2 * d_model; ++i)
      model.embedding.value.mutable_data()[i] *= (i + i / d_model) % 2 ? Real{9} : Real{-9};
    for (const auto& translation : greedy_search(model, random_sources(seed, 5), {})) {
      for (const int token : translation.tokens) EXPECT_GE(token, kUnknownId);
    }
  }
}

TEST(GreedySearch, StopsWhereTheModelCannotReadOn) {
  const Transformer model = tiny_model(1, 11, 9);
  std::size_t longest = 0;
  for (const auto& translation : greedy_search(model, random_sources(1, 20), {.extra_length = 50}))
    longest = std::max(longest, translation.tokens.size());
  EXPECT_EQ(longest, 8u);
}

TEST(GreedySearch, NothingIsTranslatedToNothing) {
  EXPECT_TRUE(greedy_search(tiny_model(0), {}, {}).empty());
  const auto translations = greedy_search(tiny_model(0), {{}}, {.extra_length = 0});
  ASSERT_EQ(translations.size(), 1u);
  EXPECT_TRUE(translations[0].tokens.empty());
  EXPECT_LT(translations[0].log_probability, 0);  // </s> is paid for at the limit too
}

}  // namespace
}  // namespace plainformer
