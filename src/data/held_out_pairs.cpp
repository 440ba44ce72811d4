#include "data/held_out_pairs.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "core/check.h"
#include "data/text.h"

namespace plainformer {

namespace {

std::uint64_t spread(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct SentenceKeys {
  std::uint64_t source, target;
};

std::vector<SentenceKeys> keys_of(const ParallelCorpus& corpus) {
  std::vector<SentenceKeys> keys;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs())
    keys.push_back({sentence_key(pair.source), sentence_key(pair.target)});
  return keys;
}

}  // namespace

std::uint64_t sentence_key(std::string_view sentence) {
  std::uint64_t key = 0xcbf29ce484222325u;
  const auto add = [&](char c) { key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3u; };
  for (const std::string_view word : split_words(sentence)) {
    for (const char c : word) add(c);
    add('\n');  // ends a word; no word holds it
  }
  return spread(key);
}

std::uint64_t pair_key(std::uint64_t source, std::uint64_t target) {
  return spread(spread(source) + target);
}

Index usual_held_out_pairs(Index pairs) {
  constexpr Index kMostPairs = 1000;
  return pairs < kFewestToHoldOutOf ? 0 : std::min(pairs / 10, kMostPairs);
}

ParallelCorpus hold_out_pairs(ParallelCorpus& corpus, Index count) {
  CHECK(count >= 0 && count < std::ssize(corpus.pairs()), count, " of ", corpus.pairs().size(), " pairs");

  // Step 1. Count how often each sentence occurs.
  const std::vector<SentenceKeys> keys = keys_of(corpus);
  std::unordered_map<std::uint64_t, Index> sources, targets;
  for (const SentenceKeys& pair : keys) {
    ++sources[pair.source];
    ++targets[pair.target];
  }

  // Step 2. Collect the pairs whose two sentences occur only there, each with a number that is as good as
  // random.
  std::vector<std::pair<std::uint64_t, Index>> candidates;
  for (Index i = 0; i < std::ssize(keys); ++i) {
    if (sources[keys[i].source] == 1 && targets[keys[i].target] == 1)
      candidates.emplace_back(pair_key(keys[i].source, keys[i].target), i);
  }

  // Step 3. Take those with the smallest numbers, in the order of the text.
  std::sort(candidates.begin(), candidates.end());
  if (count < std::ssize(candidates)) candidates.resize(count);
  std::vector<Index> indices;
  for (const auto& [key, index] : candidates) indices.push_back(index);
  std::sort(indices.begin(), indices.end());
  return corpus.take_out(indices);
}

}  // namespace plainformer
