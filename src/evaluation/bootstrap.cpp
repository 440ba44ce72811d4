#include "evaluation/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

#include "core/check.h"
#include "core/random.h"

namespace plainformer {

namespace {

// The score of each resampled text. The same sentences are drawn, whichever translation is scored.
std::vector<double> resampled_scores(Index sentences, const ScoreOfSentences& score) {
  CHECK(sentences >= 1, "no sentences");
  constexpr std::uint64_t kSeed = 1;
  std::vector<double> scores;
  std::vector<Index> drawn(static_cast<std::size_t>(sentences));
  for (Index i = 0; i < kResamples; ++i) {
    Random random(random_stream(kSeed, 0, static_cast<std::uint64_t>(i)));
    for (Index& sentence : drawn) sentence = random.below(sentences);
    scores.push_back(score(drawn));
  }
  return scores;
}

double score_of_all(Index sentences, const ScoreOfSentences& score) {
  std::vector<Index> all(static_cast<std::size_t>(sentences));
  std::iota(all.begin(), all.end(), Index{0});
  return score(all);
}

Interval middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto outside = static_cast<std::size_t>(0.025 * static_cast<double>(values.size()));
  return {values[outside], values[values.size() - 1 - outside]};
}

}  // namespace

Interval bootstrap_interval(Index sentences, const ScoreOfSentences& score) {
  return middle_of(resampled_scores(sentences, score));
}

PairedBootstrap paired_bootstrap(Index sentences, const ScoreOfSentences& score,
                                 const ScoreOfSentences& baseline) {
  const std::vector<double> scores = resampled_scores(sentences, score);
  std::vector<double> differences = resampled_scores(sentences, baseline);
  std::transform(scores.begin(), scores.end(), differences.begin(), differences.begin(), std::minus<>());

  const double difference = score_of_all(sentences, score) - score_of_all(sentences, baseline);
  const double mean =
      std::accumulate(differences.begin(), differences.end(), 0.0) / static_cast<double>(differences.size());
  const auto as_far = std::count_if(differences.begin(), differences.end(), [&](double resampled) {
    return std::fabs(resampled - mean) >= std::fabs(difference);
  });
  return {.difference = difference,
          .interval = middle_of(differences),
          .probability = static_cast<double>(as_far + 1) / static_cast<double>(kResamples + 1)};
}

}  // namespace plainformer
