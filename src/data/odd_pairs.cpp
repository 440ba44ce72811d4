#include "data/odd_pairs.h"

#include <algorithm>
#include <unordered_set>

#include "data/sentence_key.h"

namespace plainformer {

namespace {

// The number of code points of valid UTF-8: every byte but those that continue one.
double characters_of(const std::string& text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool are_unequal(double length, double other) {
  constexpr double kRatio = 4, kSlack = 10;
  return std::max(length, other) > kRatio * std::min(length, other) + kSlack;
}

}  // namespace

OddPairs odd_pairs_of(const ParallelCorpus& corpus) {
  double sources = 0, targets = 0;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    sources += characters_of(pair.source);
    targets += characters_of(pair.target);
  }
  OddPairs odd;
  std::unordered_set<std::uint64_t> before;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    const std::uint64_t source = sentence_key(pair.source), target = sentence_key(pair.target);
    if (!before.insert(pair_key(source, target)).second) odd.repeated.add(corpus.place_of(pair));
    if (source == target) odd.equal.add(corpus.place_of(pair));
    if (are_unequal(characters_of(pair.source) * targets / sources, characters_of(pair.target)))
      odd.unequal.add(corpus.place_of(pair));
  }
  return odd;
}

}  // namespace plainformer
