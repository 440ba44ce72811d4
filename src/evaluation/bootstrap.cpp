#include "evaluation/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/check.h"
#include "core/random.h"
#include "evaluation/paired_test.h"

namespace plainformer {

namespace {

// The score of each resampled text. Equal options draw equal sentences, whichever translation is scored.
std::vector<double> resampled_scores(const std::vector<BleuCounts>& segments, BleuSmoothing smoothing,
                                     const BootstrapOptions& options) {
  std::vector<double> scores;
  for (Index i = 0; i < options.resamples; ++i) {
    Random random(random_stream(options.seed, 0, static_cast<std::uint64_t>(i)));
    BleuCounts counts;
    for (Index drawn = 0; drawn < std::ssize(segments); ++drawn)
      counts += segments[random.below(std::ssize(segments))];
    scores.push_back(bleu_score(counts, smoothing).score);
  }
  return scores;
}

Interval middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto outside = static_cast<std::size_t>(0.025 * static_cast<double>(values.size()));
  return {values[outside], values[values.size() - 1 - outside]};
}

void check(const std::vector<BleuCounts>& segments, const BootstrapOptions& options) {
  CHECK(!segments.empty() && options.resamples >= 1, segments.size(), " sentences, ", options.resamples,
        " resamples");
}

}  // namespace

Interval bootstrap_interval(const std::vector<BleuCounts>& segments, BleuSmoothing smoothing,
                            const BootstrapOptions& options) {
  check(segments, options);
  return middle_of(resampled_scores(segments, smoothing, options));
}

PairedBootstrap paired_bootstrap(const std::vector<BleuCounts>& segments,
                                 const std::vector<BleuCounts>& baseline, BleuSmoothing smoothing,
                                 const BootstrapOptions& options) {
  check(segments, options);
  CHECK(segments.size() == baseline.size(), segments.size(), " and ", baseline.size(), " sentences");
  const std::vector<double> scores = resampled_scores(segments, smoothing, options);
  std::vector<double> differences = resampled_scores(baseline, smoothing, options);
  std::transform(scores.begin(), scores.end(), differences.begin(), differences.begin(), std::minus<>());

  const double difference = bleu_score(segments, smoothing).score - bleu_score(baseline, smoothing).score;
  const double mean = mean_of(differences);
  const auto as_far = std::count_if(differences.begin(), differences.end(), [&](double resampled) {
    return std::fabs(resampled - mean) >= std::fabs(difference);
  });
  return {.difference = difference,
          .interval = middle_of(differences),
          .probability = static_cast<double>(as_far + 1) / static_cast<double>(options.resamples + 1)};
}

}  // namespace plainformer
