#include "decoding/fast/cached_beam_search.h"

#include <gtest/gtest.h>

#include "core/thread_pool.h"
#include "decoding/beam_search.h"
#include "decoding/tiny_model.h"

namespace plainformer {
namespace {

void expect_same(const std::vector<Hypotheses>& found, const std::vector<Hypotheses>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].size(), expected[i].size());
    for (std::size_t rank = 0; rank < found[i].size(); ++rank) {
      EXPECT_EQ(found[i][rank].tokens, expected[i][rank].tokens);
      EXPECT_NEAR(found[i][rank].log_probability, expected[i][rank].log_probability, tolerance);
      EXPECT_NEAR(found[i][rank].score, expected[i][rank].score, tolerance);
    }
  }
}

std::vector<Hypotheses> cached(const Transformer& model, const std::vector<std::vector<int>>& sources,
                               const SearchOptions& options = {}) {
  return cached_beam_search(model, DecoderWeights(model), sources, options);
}

TEST(CachedBeamSearch, FindsWhatThePlainSearchFinds) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Transformer model = tiny_model(seed, 11, 40);
    const auto sources = random_sources(seed, 6);
    for (const int beam : {1, 2, 4, 7}) {
      for (const Real alpha : {Real(0), Real(0.6), Real(1.5)}) {
        const SearchOptions options = {.beam = beam,
                                       .length_penalty = alpha,
                                       .n_best = std::min(beam, 3),
                                       .limits = {.extra_length = 8}};
        expect_same(cached(model, sources, options), beam_search(model, sources, options), 1e-5);
      }
    }
  }
}

TEST(CachedBeamSearch, DependsNeitherOnTheBatchNorOnTheThreads) {
  const Transformer model = tiny_model(2);
  const auto sources = random_sources(2, 9);
  const auto together = cached(model, sources, {});
  for (std::size_t i = 0; i < sources.size(); ++i)
    expect_same(cached(model, {sources[i]}, {}), {together[i]}, 0);

  const int threads_before = threads();
  set_threads(3);
  expect_same(cached(model, sources, {}), together, 0);
  set_threads(threads_before);
}

TEST(CachedBeamSearch, NothingIsTranslatedToNothing) {
  EXPECT_TRUE(cached(tiny_model(0), {}, {}).empty());
}

}  // namespace
}  // namespace plainformer
