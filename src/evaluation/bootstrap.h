// The bootstrap over sentences: how sure is a BLEU score, and a difference of two? (Koehn 2004, "Statistical
// Significance Tests for Machine Translation Evaluation".) Another test text of this kind would have other
// sentences. So draw as many from this one, with replacement, score them, and repeat.
//
// The bootstrap measures the noise of the test text only. Another seed of the training adds noise of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluation/bleu.h"

namespace plainformer {

struct BootstrapOptions {
  Index resamples = 1000;
  std::uint64_t seed = 1;
};

struct Interval {
  double low = 0, high = 0;
};

// The middle 95 % of the resampled scores.    segments: the counts of each sentence, at least one
Interval bootstrap_interval(const std::vector<BleuCounts>& segments, BleuSmoothing smoothing,
                            const BootstrapOptions& options = {});

struct PairedBootstrap {
  double difference = 0;   // the score of `segments` minus the score of `baseline`
  Interval interval;       // the middle 95 % of the resampled differences
  double probability = 0;  // the p-value, two-sided
};

// Compares two translations of one text. Each resampled text has the same sentences of both, so sentences
// that are easy for both make no difference. The p-value is the share of resampled differences that, less
// their mean, are at least as far from 0 as the difference of the whole text.
PairedBootstrap paired_bootstrap(const std::vector<BleuCounts>& segments,
                                 const std::vector<BleuCounts>& baseline, BleuSmoothing smoothing,
                                 const BootstrapOptions& options = {});

}  // namespace plainformer
