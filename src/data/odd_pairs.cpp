#include "data/odd_pairs.h"

#include <algorithm>
#include <unordered_set>

#include "core/utf8.h"
#include "data/sentence_key.h"
#include "data/unicode.h"

namespace plainformer {

namespace {

// The number of code points of valid UTF-8: every byte but those that continue one.
double characters_of(const std::string& text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool has_combining_accent(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (unicode::is_combining_accent(point.value)) return true;
    at += point.bytes;
  }
  return false;
}

bool are_unequal(double length, double other) {
  constexpr double kRatio = 4, kSlack = 10;
  return std::max(length, other) > kRatio * std::min(length, other) + kSlack;
}

// How the lines of one side follow each other.
struct LineOrder {
  Index ascents = 0;
  bool descends = false;

  void add(const std::string& line, const std::string& next) {
    if (line < next) ++ascents;
    if (next < line) descends = true;
  }
  bool is_sorted() const { return !descends && ascents >= 19; }
};

std::vector<std::string> sorted_files(const ParallelCorpus& corpus) {
  std::vector<std::string> files;
  const std::vector<ParallelCorpus::LinePair>& pairs = corpus.pairs();
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    LineOrder source, target;
    bool is_copy = true;
    for (; end < pairs.size() && pairs[end].file == pairs[begin].file; ++end) {
      is_copy = is_copy && pairs[end].source == pairs[end].target;
      if (end == begin) continue;
      source.add(pairs[end - 1].source, pairs[end].source);
      target.add(pairs[end - 1].target, pairs[end].target);
    }
    if (source.is_sorted() && target.is_sorted() && !is_copy)
      files.push_back(corpus.place_of(pairs[begin]).file);
  }
  return files;
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
    if (has_combining_accent(pair.source) || has_combining_accent(pair.target))
      odd.accents.add(corpus.place_of(pair));
  }
  odd.sorted = sorted_files(corpus);
  return odd;
}

PairCount pairs_in_training(const ParallelCorpus& valid, const ParallelCorpus& train) {
  const auto key_of = [](const ParallelCorpus::LinePair& pair) {
    return pair_key(sentence_key(pair.source), sentence_key(pair.target));
  };
  std::unordered_set<std::uint64_t> keys;
  for (const ParallelCorpus::LinePair& pair : train.pairs()) keys.insert(key_of(pair));
  PairCount count;
  for (const ParallelCorpus::LinePair& pair : valid.pairs())
    if (keys.count(key_of(pair)) > 0) count.add(valid.place_of(pair));
  return count;
}

}  // namespace plainformer
