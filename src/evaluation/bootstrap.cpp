#include "evaluation/bootstrap.h"

#include <algorithm>
#include <cstdint>

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

Interval middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto outside = static_cast<std::size_t>(0.025 * static_cast<double>(values.size()));
  return {values[outside], values[values.size() - 1 - outside]};
}

}  // namespace

Interval bootstrap_interval(Index sentences, const ScoreOfSentences& score) {
  return middle_of(resampled_scores(sentences, score));
}

}  // namespace plainformer
