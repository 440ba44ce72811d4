#include "decoding/decode_all.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "core/special_symbols.h"
#include "core/thread_pool.h"
#include "decoding/beam_search.h"
#include "decoding/fast/incremental_decoder.h"
#include "decoding/tiny_model.h"
#include "ops/ways.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

class ThreadsInScope {
 public:
  explicit ThreadsInScope(int count) : before_(threads()) { set_threads(count); }
  ~ThreadsInScope() { set_threads(before_); }

 private:
  const int before_;
};

TEST(DecodeAll, SearchesTheWayOfDecodingThatIsChosen) {
  const Transformer model = tiny_model(3);
  const auto sources = random_sources(3, 1);
  const auto log_probability = [](const std::vector<Hypotheses>& translations) {
    return translations.front().front().log_probability;
  };
  const WaysInScope plain(plain_ways("decoding", "test"));
  const double by_beam_search = log_probability(beam_search(model, sources, {}));
  EXPECT_EQ(log_probability(decode_all(model, sources, {})), by_beam_search);
  const WaysInScope fast(plain_ways("none", "test"));
  const double by_cached_search =
      log_probability(cached_beam_search(model, DecoderWeights(model), sources, {}));
  EXPECT_EQ(log_probability(decode_all(model, sources, {})), by_cached_search);
  EXPECT_NEAR(by_beam_search, by_cached_search, 1e-5);
}

// <unk> has the logit of a likely token, three times as large: a model that learned to write it.
TEST(DecodeAll, NeverProducesTheUnknownTokenWhereItMayNot) {
  Transformer model = tiny_model(3);
  const auto sources = random_sources(3, 6);
  const Index d_model = model.config().d_model;
  const int likely = decode_all(model, sources, kGreedy).front().front().tokens.front();
  for (Index i = 0; i < d_model; ++i)
    model.embedding.value.mutable_data()[kUnknownId * d_model + i] = 3 * model.embedding.value(likely, i);
  const auto count_unknown = [&](SearchOptions options, bool writes_unknown) {
    options.limits.writes_unknown = writes_unknown;
    std::ptrdiff_t count = 0;
    for (const Hypotheses& found : decode_all(model, sources, options))
      for (const Hypothesis& each : found)
        count += std::count(each.tokens.begin(), each.tokens.end(), kUnknownId);
    return count;
  };
  for (const char* plain : {"decoding", "none"}) {
    const WaysInScope in_scope(plain_ways(plain, "test"));
    for (const SearchOptions& options : {kGreedy, SearchOptions{.beam = 3, .n_best = 3}}) {
      EXPECT_GT(count_unknown(options, true), 0);
      EXPECT_EQ(count_unknown(options, false), 0);
    }
  }
}

TEST(DecodeAll, CutsBatchesSoThatEachThreadHasOne) {
  const Transformer model = tiny_model(3);
  const auto sources = random_sources(3, 9);
  const auto batches_with = [&](int threads) {
    const ThreadsInScope in_scope(threads);
    int batches = 0;
    Index reported = 0;
    decode_all(model, sources, {.batch = 9}, [&](Index done, Index) {
      EXPECT_GT(done, reported);
      reported = done;
      ++batches;
    });
    EXPECT_EQ(reported, 9);
    return batches;
  };
  EXPECT_EQ(batches_with(1), 1);
  EXPECT_EQ(batches_with(3), 3);
  EXPECT_EQ(batches_with(9), 9);
  EXPECT_EQ(batches_with(10), 1);
}

TEST(DecodeAll, ReportsItsProgressAndCanBeStopped) {
  const Transformer model = tiny_model(3);
  const auto sources = random_sources(3, 7);
  const ThreadsInScope one_thread(1);  // several finish their batches in any order
  std::vector<std::pair<Index, Index>> reports;
  decode_all(model, sources, {.batch = 3}, [&](Index done, Index total) {
    reports.push_back({done, total});
  });
  EXPECT_EQ(reports, (std::vector<std::pair<Index, Index>>{{3, 7}, {6, 7}, {7, 7}}));

  struct Interrupted {};
  EXPECT_THROW(decode_all(model, sources, {.batch = 3}, [](Index, Index) { throw Interrupted(); }),
               Interrupted);
}

TEST(DecodeAll, RefusesASentenceThatIsTooLong) {
  const Transformer model = tiny_model(0, 11, 6);
  EXPECT_EQ(decode_all(model, {std::vector<int>(5, 4)}, {}).size(), 1u);
  const std::string refusal = thrown_message<std::logic_error>([&] {
    decode_all(model, {{3}, std::vector<int>(6, 4)}, {});
  });
  EXPECT_TRUE(contains(refusal, ways.decoding == Way::kPlain ? "a source of 6 tokens" : "7 positions"))
      << refusal;
}

TEST(DecodeAll, NothingIsTranslatedToNothing) {
  EXPECT_TRUE(decode_all(tiny_model(0), {}, {}).empty());
}

using Batches = std::vector<std::vector<Index>>;

TEST(BatchesByLength, TheLongestComeFirstAndEqualsKeepTheirOrder) {
  EXPECT_EQ(batches_by_length({3, 9, 3, 0, 7}, 2), (Batches{{1, 4}, {0, 2}, {3}}));
  EXPECT_EQ(batches_by_length({1, 2, 3}, 5), (Batches{{2, 1, 0}}));
  EXPECT_EQ(batches_by_length({}, 2), Batches{});
  EXPECT_THROW(batches_by_length({1}, 0), std::logic_error);
}

TEST(BatchesByLength, ABatchHasAtMostThatManyTokensWithItsPadding) {
  EXPECT_EQ(batches_by_length({4, 9, 3, 0, 7, 4}, 3, 8), (Batches{{1}, {4}, {0, 5}, {2, 3}}));
}

}  // namespace
}  // namespace plainformer
