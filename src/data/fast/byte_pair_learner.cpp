// The merges of the plain loop, with counts that are kept up to date.
//
// A merge changes few words, so only these are read again, and only the counts around the joined symbols
// change. A heap finds the most frequent pair. Symbols are numbers, so that comparing two of them reads no
// text.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "core/check.h"
#include "core/strings.h"
#include "data/byte_pair_learner.h"

namespace plainformer::fast {

namespace {

constexpr Index kMinimumCount = 2;

class Learner {
 public:
  explicit Learner(const WordCounts& counts) {
    for (const auto& [text, count] : counts) {
      Word word{.symbols = {}, .count = count};
      for (const Character& c : characters_in(text)) {
        const bool is_last = c.bytes.end() == std::string_view(text).end();
        word.symbols.push_back(intern(std::string(c.bytes) + (is_last ? "</w>" : "")));
      }
      words_.push_back(std::move(word));
    }
    CHECK(words_.size() < std::numeric_limits<int>::max(), words_.size(), " different words");

    for (int w = 0; w < std::ssize(words_); ++w) {
      const std::vector<int>& symbols = words_[w].symbols;
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) add_pair(symbols[i], symbols[i + 1], w);
    }
    for (int pair = 0; pair < std::ssize(pairs_); ++pair) push_candidate(pair);
  }

  std::vector<Merge> learn(Index merges, const LearningProgress& progress) {
    std::vector<Merge> learned;
    while (std::ssize(learned) < merges) {
      const int best = pop_most_frequent();
      if (best < 0) break;
      learned.push_back({texts_[pairs_[best].first], texts_[pairs_[best].second]});
      merge(best);
      if (progress) progress(std::ssize(learned), merges);
    }
    return learned;
  }

 private:
  struct Word {
    std::vector<int> symbols;  // indices into texts_
    Index count = 0;           // in the text
  };
  struct Pair {
    int first, second;
    Index count = 0;
    std::vector<int> words;  // all that hold the pair, and some that no longer do
  };
  struct Candidate {
    Index count;  // the count of the pair when it entered the heap
    int pair;
  };

  int intern(const std::string& text) {
    const auto [entry, is_new] = symbol_of_text_.try_emplace(text, static_cast<int>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return entry->second;
  }

  int find_or_add_pair(int first, int second) {
    const std::uint64_t key =
        std::uint64_t{static_cast<std::uint32_t>(first)} << 32 | static_cast<std::uint32_t>(second);
    const auto [entry, is_new] = pair_of_symbols_.try_emplace(key, static_cast<int>(pairs_.size()));
    if (is_new) pairs_.push_back({.first = first, .second = second, .words = {}});
    return entry->second;
  }

  // Counts the pair once more in word w. Returns its number.
  int add_pair(int first, int second, int w) {
    const int number = find_or_add_pair(first, second);
    Pair& pair = pairs_[number];
    pair.count += words_[w].count;
    if (pair.words.empty() || pair.words.back() != w) pair.words.push_back(w);
    return number;
  }

  void remove_pair(int first, int second, int w) {
    pairs_[find_or_add_pair(first, second)].count -= words_[w].count;
  }

  // The order of the heap: by count, and among equal counts by the texts of the two symbols.
  auto is_less_frequent() const {
    return [this](const Candidate& a, const Candidate& b) {
      if (a.count != b.count) return a.count < b.count;
      const Pair &p = pairs_[a.pair], &q = pairs_[b.pair];
      return std::tie(texts_[p.first], texts_[p.second]) < std::tie(texts_[q.first], texts_[q.second]);
    };
  }

  void push_candidate(int pair) {
    if (pairs_[pair].count < kMinimumCount) return;
    heap_.push_back({pairs_[pair].count, pair});
    std::push_heap(heap_.begin(), heap_.end(), is_less_frequent());
  }

  // Takes the most frequent pair out of the heap. Returns -1 if none occurs twice.
  int pop_most_frequent() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), is_less_frequent());
      const Candidate best = heap_.back();
      heap_.pop_back();
      const Index count = pairs_[best.pair].count;
      if (count == best.count) return best.pair;
      if (count < best.count) push_candidate(best.pair);  // otherwise the heap has the larger count, too
    }
    return -1;
  }

  // Joins the pair in every word that holds it.
  void merge(int pair) {
    const int first = pairs_[pair].first, second = pairs_[pair].second;
    const int both = intern(texts_[first] + texts_[second]);
    std::vector<int> grown;
    for (const int w : std::exchange(pairs_[pair].words, {})) {
      // Step 1. Join the symbols, from left to right.
      const std::vector<int> old = std::move(words_[w].symbols);
      std::vector<int>& joined = words_[w].symbols = {};
      std::vector<std::size_t> places;  // where the joined pairs begin in `old`
      for (std::size_t i = 0; i < old.size(); ++i) {
        const bool is_pair = i + 1 < old.size() && old[i] == first && old[i + 1] == second;
        joined.push_back(is_pair ? both : old[i]);
        if (is_pair) places.push_back(i++);
      }

      // Step 2. Count what this changes: the pair itself is lost, and so are the pairs that it formed with
      // its neighbors. The new symbol forms others. A pair between two joined ones is lost, or formed, only
      // once.
      for (std::size_t k = 0; k < places.size(); ++k) {
        const std::size_t at = places[k], new_at = at - k;
        const bool follows_another = k > 0 && places[k - 1] + 2 == at;
        remove_pair(first, second, w);
        if (at > 0 && !follows_another) {
          remove_pair(old[at - 1], old[at], w);
          grown.push_back(add_pair(joined[new_at - 1], joined[new_at], w));
        }
        if (at + 2 < old.size()) {
          remove_pair(old[at + 1], old[at + 2], w);
          grown.push_back(add_pair(joined[new_at], joined[new_at + 1], w));
        }
      }
    }

    // Step 3. Put each pair that occurs more often now into the heap, with its new count.
    std::sort(grown.begin(), grown.end());
    grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
    for (const int candidate : grown) push_candidate(candidate);
  }

  std::vector<std::string> texts_;  // the texts of the symbols
  std::unordered_map<std::string, int> symbol_of_text_;
  std::vector<Word> words_;
  std::vector<Pair> pairs_;
  std::unordered_map<std::uint64_t, int> pair_of_symbols_;
  std::vector<Candidate> heap_;  // each pair that occurs twice is there, with its count or a larger one
};

}  // namespace

std::vector<Merge> learn_merges(const WordCounts& counts, Index merges, const LearningProgress& progress) {
  return Learner(counts).learn(merges, progress);
}

}  // namespace plainformer::fast
