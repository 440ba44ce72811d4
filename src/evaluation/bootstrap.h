// The bootstrap over sentences: how certain is a score? (Koehn 2004, "Statistical
// Significance Tests for Machine Translation Evaluation".) Another test text would have other sentences. So
// draw as many from this one, with replacement, score them, and repeat. This measures only the noise of the
// test text. Another seed of the training adds more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/random.h"
#include "core/real.h"

namespace plainformer {

inline constexpr Index kResamples = 1000;

struct Interval {
  double low = 0, high = 0;
};

// The middle 95 % of the resampled scores.
//   segments   the counts of each sentence
//   score      of a sum of such counts
template <typename Counts, typename Score>
Interval bootstrap_interval(const std::vector<Counts>& segments, Score score) {
  constexpr std::uint64_t kSeed = 1;
  std::vector<double> scores;
  for (std::uint64_t resample = 0; resample < kResamples; ++resample) {
    Random random(random_stream(kSeed, 0, resample));
    Counts sum;
    for (std::size_t i = 0; i < segments.size(); ++i) sum += random.any_of(segments);
    scores.push_back(score(sum));
  }
  std::sort(scores.begin(), scores.end());
  constexpr Index kOutside = kResamples / 40;  // 2.5 % at each end
  return {scores[kOutside], scores[kResamples - 1 - kOutside]};
}

}  // namespace plainformer
