// The held-out sentences that a training run translates before the reader's eyes, at each validation.
#pragma once

#include <string>
#include <vector>

#include "train/corpora.h"
#include "transformer/transformer.h"

namespace plainformer {

// At most `count` pairs of the text, in its order: always the same. Their sources are of a short to middle length,
// from the first quartile of the lengths to the median, and spread evenly between them.
ParallelCorpus pairs_to_watch(const ParallelCorpus& text, Index count);

// The sentences, each with its reference, which the run prints once.
std::string describe_watched(const WatchedSentences& watched);

// Their translations by this model, greedily. None if its output is not finite. Changes nothing.
std::vector<std::string> translate_watched(const WatchedSentences& watched, const Transformer& model,
                                           const Vocabulary& vocabulary);

// A line for each translation. "=" marks one that equals the reference, and one that is more than twice as wide is cut. Those
// that are the same as before share one line: "  2, 3 as before". before: none at the first validation of a run
std::string describe_translations(const WatchedSentences& watched,
                                  const std::vector<std::string>& translations,
                                  const std::vector<std::string>& before);

}  // namespace plainformer
