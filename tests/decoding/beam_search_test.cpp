#include "decoding/beam_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/special_symbols.h"
#include "core/thread_pool.h"
#include "decoding/cached_decoder.h"
#include "decoding/fast/incremental_decoder.h"
#include "decoding/given_translation.h"
#include "decoding/tiny_model.h"

namespace plainformer {
namespace {

// log P of each token of the vocabulary after `target`, in double, from the whole model.
std::vector<double> log_probabilities(const Transformer& model, const std::vector<int>& source,
                                      std::vector<int> target) {
  target.insert(target.begin(), kStartId);
  std::vector<double> x = logits_after(model, source, target);
  double sum = 0;
  for (const double logit : x) sum += std::exp(logit);
  for (double& logit : x) logit -= std::log(sum);
  return x;
}

double score_of(double log_probability, std::size_t tokens, double alpha) {
  return log_probability / std::pow((5.0 + double(tokens + 1)) / 6.0, alpha);
}

bool is_better(const Hypothesis& a, const Hypothesis& b) {
  return a.score > b.score;
}

// Every translation of at most `limit` tokens that begins with `tokens`.
void enumerate(const Transformer& model, const std::vector<int>& source, const std::vector<int>& tokens,
               double log_probability, std::size_t limit, double alpha, Hypotheses& all) {
  const std::vector<double> next = log_probabilities(model, source, tokens);
  const double ended = log_probability + next[kEndId];
  all.push_back({tokens, ended, score_of(ended, tokens.size(), alpha)});
  if (tokens.size() == limit) return;
  for (int token = kUnknownId; token < static_cast<int>(next.size()); ++token) {
    std::vector<int> longer = tokens;
    longer.push_back(token);
    enumerate(model, source, longer, log_probability + next[token], limit, alpha, all);
  }
}

TEST(BeamSearch, FindsTheBestOfAllTranslationsIfTheBeamIsWideEnough) {
  constexpr Index kVocab = 7;  // 4 tokens can be produced: 1 + 4 + 16 + 64 + 256 translations
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Transformer model = tiny_model(seed, kVocab);
    const std::vector<int> source = {3, 5};
    for (const double alpha : {0.0, 0.6, 2.0}) {
      Hypotheses all;
      enumerate(model, source, {}, 0, 4, alpha, all);
      ASSERT_EQ(all.size(), 341u);
      std::sort(all.begin(), all.end(), is_better);

      const SearchOptions options = {
          .beam = 341, .length_penalty = alpha, .n_best = 5, .limits = {.extra_length = 2}};
      const Hypotheses found = beam_search(model, {source}, options).front();
      ASSERT_EQ(found.size(), 5u);
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].tokens, all[i].tokens) << "seed " << seed << ", alpha " << alpha << ", rank " << i;
        EXPECT_NEAR(found[i].log_probability, all[i].log_probability, 1e-5);
        EXPECT_NEAR(found[i].score, all[i].score, 1e-5);
      }
    }
  }
}

// Beam search from its definition: always to the limit, without early termination.
Hypotheses search_to_the_limit(const Transformer& model, const std::vector<int>& source, std::size_t beam,
                               std::size_t limit, double alpha) {
  Hypotheses live = {Hypothesis{}}, finished;
  for (std::size_t length = 0; length <= limit; ++length) {
    Hypotheses continuations;  // with </s> kept, to tell which are finished
    for (const Hypothesis& hypothesis : live) {
      const std::vector<double> next = log_probabilities(model, source, hypothesis.tokens);
      for (int token = kEndId; token < (length < limit ? static_cast<int>(next.size()) : kEndId + 1);
           ++token) {
        Hypothesis longer = hypothesis;
        longer.tokens.push_back(token);
        longer.log_probability += next[token];
        continuations.push_back(longer);
      }
    }
    std::sort(continuations.begin(), continuations.end(),
              [](const Hypothesis& a, const Hypothesis& b) { return a.log_probability > b.log_probability; });
    live.clear();
    for (std::size_t rank = 0; rank < continuations.size() && live.size() < beam; ++rank) {
      Hypothesis& hypothesis = continuations[rank];
      if (hypothesis.tokens.back() != kEndId) {
        live.push_back(hypothesis);
      } else if (rank < beam) {
        hypothesis.tokens.pop_back();
        hypothesis.score = score_of(hypothesis.log_probability, hypothesis.tokens.size(), alpha);
        finished.push_back(hypothesis);
      }
    }
  }
  std::stable_sort(finished.begin(), finished.end(), is_better);
  return finished;
}

TEST(BeamSearch, EarlyTerminationChangesNoResult) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Transformer model = tiny_model(seed);
    const auto sources = random_sources(seed, 3);
    for (const int beam : {1, 2, 4}) {
      for (const double alpha : {0.0, 0.6, 1.5}) {
        const SearchOptions options = {.beam = beam,
                                       .length_penalty = alpha,
                                       .n_best = std::min(beam, 2),
                                       .limits = {.extra_length = 4}};
        const auto found = beam_search(model, sources, options);
        for (std::size_t i = 0; i < sources.size(); ++i) {
          const Hypotheses expected = search_to_the_limit(model, sources[i], static_cast<std::size_t>(beam),
                                                          sources[i].size() + 4, alpha);
          ASSERT_EQ(found[i].size(), std::min<std::size_t>(expected.size(), std::min(beam, 2)));
          for (std::size_t rank = 0; rank < found[i].size(); ++rank) {
            EXPECT_EQ(found[i][rank].tokens, expected[rank].tokens)
                << "seed " << seed << ", beam " << beam << ", alpha " << alpha << ", rank " << rank;
            EXPECT_NEAR(found[i][rank].score, expected[rank].score, 1e-5);
          }
        }
      }
    }
  }
}

TEST(BeamSearch, ABeamOfOneWithoutLengthPenaltyIsGreedy) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Transformer model = tiny_model(seed);
    const auto sources = random_sources(seed, 6);
    const auto greedy = greedy_search(model, sources, {.extra_length = 9});
    const auto found =
        beam_search(model, sources, {.beam = 1, .length_penalty = 0, .limits = {.extra_length = 9}});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      EXPECT_EQ(found[i].front().tokens, greedy[i].tokens);
      EXPECT_NEAR(found[i].front().log_probability, greedy[i].log_probability, 1e-9);
      EXPECT_NEAR(found[i].front().score, greedy[i].score, 1e-9);
    }
  }
}

TEST(BeamSearch, TheLogProbabilityIsThatOfTheTranslationScored) {
  const Transformer model = tiny_model(5);
  const auto sources = random_sources(5, 6);
  std::vector<std::vector<int>> scored_sources, translations;
  std::vector<double> found;
  const auto all = beam_search(model, sources, {.beam = 4, .n_best = 4});
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const Hypothesis& hypothesis : all[i]) {
      scored_sources.push_back(sources[i]);
      translations.push_back(hypothesis.tokens);
      found.push_back(hypothesis.log_probability);
    }
  }
  const auto scores = score_sequences(model, scored_sources, translations);
  ASSERT_GT(found.size(), sources.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], scores[i].log_probability, 1e-5);
}

TEST(BeamSearch, NothingIsTranslatedToNothing) {
  EXPECT_TRUE(beam_search(tiny_model(0), {}, {}).empty());
  EXPECT_TRUE(cached_beam_search(tiny_model(0), DecoderWeights(tiny_model(0)), {}, {}).empty());
}

TEST(BeamSearch, RefusesOptionsThatDoNotFit) {
  EXPECT_THROW(beam_search(tiny_model(0), {{3}}, {.beam = 0}), std::runtime_error);
}

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
      for (const double alpha : {0.0, 0.6, 1.5}) {
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

}  // namespace
}  // namespace plainformer
