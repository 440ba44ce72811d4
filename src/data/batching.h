// Paper: 5.1 Training Data and Batching
//
// "Sentence pairs were batched together by approximate sequence length. Each training batch contained a set
// of sentence pairs containing approximately 25000 source tokens and 25000 target tokens."
#pragma once

#include <cstdint>
#include <vector>

#include "core/real.h"
#include "data/vocabulary.h"
#include "training/batch_source.h"
#include "transformer/token_batch.h"

namespace plainformer {

// One sentence pair as token ids, without special symbols.
struct SentencePair {
  std::vector<int> source, target;
};

// Cuts the pairs, sorted by length, into batches of at most max_tokens source and max_tokens target tokens,
// padding and special symbols included (a longer pair is a batch by itself), and shuffles the batches. Pairs
// of equal length are shuffled among themselves first, so each epoch has different batches. The same seed and
// epoch give the same batches on every platform.
//   returns the numbers of the pairs in each batch; every pair occurs once
std::vector<std::vector<Index>> make_batches(const std::vector<SentencePair>& pairs, Index max_tokens,
                                             std::uint64_t seed, std::uint64_t epoch);

// The pairs with these numbers (make_batches) as one padded batch.
TranslationBatch batch_of(const std::vector<SentencePair>& pairs, const std::vector<Index>& numbers);

// The batches that make_batches cuts for each epoch, as the training loop takes them. The pairs, at least
// one, must outlive the source; they may change before an epoch begins.
BatchSource batches_of(const std::vector<SentencePair>& pairs, Index max_tokens, std::uint64_t seed);
BatchSource batches_of(std::vector<SentencePair>&& pairs, Index max_tokens, std::uint64_t seed) = delete;

// Beyond the paper: the pairs with other codes and numbers in each epoch, so that a model learns to copy
// them, and not to know them by heart. A word of several tokens that stands on both sides is drawn anew, the
// same on both: each token that is a digit, a small letter or a capital (of a to z) becomes one of its kind.
// Escapes such as %20 stay (data/words.cpp), and so do all lengths.
std::vector<SentencePair> with_fresh_copies(std::vector<SentencePair> pairs, const Vocabulary& vocabulary,
                                            std::uint64_t seed, std::uint64_t epoch);

}  // namespace plainformer
