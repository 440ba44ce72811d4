// The built-in parallel corpus: generated English sentences and their German translations. Copying word by
// word is not enough: articles and adjectives agree in gender, number and case, the German verb stands second
// or last, separable verbs come apart, "not" becomes "nicht" or "kein" (toy_syntax.h).
//
// Words and commas are separated by single spaces. There is no full stop, and a sentence starts in lower
// case. Each side has 3 to 14 tokens. An English sentence has exactly one German translation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"

namespace plainformer {

struct ToyPair {
  std::string source, target;  // English, German
};

struct ToyCorpus {
  std::vector<ToyPair> train, valid, test;
};

// One sentence. Three in ten are plain statements, two begin with an adverb, five have a subordinate clause.
ToyPair random_toy_pair(Random& random);

// All pairs are distinct, so that valid and test hold new combinations of words. With 5000 or more pairs in
// train, all of these words occur there. A pure function of its arguments, the same on every platform.
// Contract: at most kMaxToyPairs pairs in all; else std::logic_error.
ToyCorpus generate_toy_corpus(std::uint64_t seed, Index train_pairs, Index valid_pairs, Index test_pairs);

inline constexpr Index kMaxToyPairs = 1'000'000;

}  // namespace plainformer
