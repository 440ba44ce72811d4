#include "decoding/cached_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/special_symbols.h"
#include "decoding/beam_search.h"
#include "decoding/tiny_model.h"
#include "ops/ways.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

constexpr Index kMaxLength = 24;

// Two layers with three heads.
ModelConfig config() {
  return tiny_model(1, 11, kMaxLength).config();
}

// Feeds random translations of random sources, as long as the model reads, and compares the logits of every
// prefix with those of the decoder that reads the whole prefix again.
void expect_the_plain_decoders_logits(const Transformer& model, double tolerance) {
  Random random(random_stream(7, 0, 0));
  for (const std::vector<int>& source : random_sources(1, 5)) {
    const Tensor memory = encode_source(model, source);
    CachedDecoder decoder(model, memory);
    std::vector<int> prefix;
    int token = kStartId;
    while (std::ssize(prefix) < kMaxLength) {
      prefix.push_back(token);
      const Tensor logits = decoder.step(token);
      const Tensor expected = next_logits(model, memory, prefix);
      ASSERT_TRUE(near(logits, expected, tolerance)) << prefix.size() << " tokens";
      token = static_cast<int>(kUnknownId + random.below(8));
    }
  }
}

// In the plain way both do the same additions in the same order, so they agree in every bit. A tile of the
// fast way may hold other rows, which changes the rounding.
void expect_the_plain_decoders_logits(const ModelConfig& config) {
  const Transformer model(config, /*seed=*/1);
  expect_the_plain_decoders_logits(model, 1e-5);
  const WaysInScope plain(plain_ways("all", "test"));
  expect_the_plain_decoders_logits(model, 0);
}

TEST(CachedDecoder, PredictsWhatThePlainDecoderPredicts) {
  ModelConfig learned = config(), wide = config();
  learned.positions = Positions::kLearned;
  wide.d_k = 3;
  wide.d_v = 7;
  for (const ModelConfig& each : {config(), learned, wide}) expect_the_plain_decoders_logits(each);
}

TEST(CachedDecoder, ReadsTheMemoryOfOneSentence) {
  EXPECT_THROW(CachedDecoder(tiny_model(1), Tensor({2, 3, 12})), std::logic_error);
}

// Greedy search as one would write it without batches: the whole model at every step, for one sentence.
std::vector<int> greedy_by_hand(const Transformer& model, const std::vector<int>& source, Index limit) {
  std::vector<int> target = {kStartId};
  while (std::ssize(target) - 1 < limit) {
    const std::vector<double> logits = logits_after(model, source, target);
    const auto best =
        static_cast<int>(std::max_element(logits.begin() + kEndId, logits.end()) - logits.begin());
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
