// How sure is a BLEU score, and a difference of two? The bootstrap over sentences (Koehn 2004, "Statistical
// Significance Tests for Machine Translation Evaluation"): another test text of this kind would have had other
// sentences. Draw as many from this one, with replacement, score them, and repeat.
//
// It knows the test text's part of the noise. Another seed of the training is another part.
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
  double difference = 0;   // the score of `segments` minus that of `baseline`
  Interval interval;       // of the differences, each of the same sentences
  double probability = 0;  // of a difference at least as large if the true one is 0
};

// Compares two translations of the same text, sentence i with sentence i. So a text that is easier for both
// does not count as a difference. The probability is two-sided: the share of the resampled differences, less
// their mean, that are at least as far from 0 as the difference of the whole text.
PairedBootstrap paired_bootstrap(const std::vector<BleuCounts>& segments,
                                 const std::vector<BleuCounts>& baseline, BleuSmoothing smoothing,
                                 const BootstrapOptions& options = {});

}  // namespace plainformer
