// The bootstrap over sentences: how certain is a score? (Koehn 2004, "Statistical
// Significance Tests for Machine Translation Evaluation".) Another test text would have other sentences. So
// draw as many from this one, with replacement, score them, and repeat. This measures only the noise of the
// test text. Another seed of the training adds more.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/real.h"

namespace plainformer {

inline constexpr Index kResamples = 1000;

struct Interval {
  double low = 0, high = 0;
};

// The score of a text that consists of these sentences, by number. A sentence may occur several times.
using ScoreOfSentences = std::function<double(const std::vector<Index>& sentences)>;

// The middle 95 % of the resampled scores.    sentences: how many the text has, at least one
Interval bootstrap_interval(Index sentences, const ScoreOfSentences& score);

// The score as a function of sentences, where it follows from the sum of the sentences' counts.
template <typename Counts, typename Score>
ScoreOfSentences score_of_sum(std::vector<Counts> segments, Score score) {
  return [segments = std::move(segments), score](const std::vector<Index>& sentences) {
    Counts sum;
    for (const Index sentence : sentences) sum += segments.at(static_cast<std::size_t>(sentence));
    return score(sum);
  };
}

}  // namespace plainformer
