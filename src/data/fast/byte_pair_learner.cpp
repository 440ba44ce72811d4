// The merges of the plain loop, with counts that are kept up to date.
//
// A merge changes few words, so only these are read again, and only the counts of their pairs change. An
// ordered set holds the pairs by their counts. Symbols are numbers, so that comparing two of them reads no
// text.
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/check.h"
#include "core/strings.h"
#include "data/byte_pair_learner.h"

namespace plainformer::fast {

namespace {

class Learner {
 public:
  Learner(const WordCounts& counts, Index fewest) : fewest_(fewest), by_count_(IsLessFrequent{*this}) {
    CHECK(counts.size() < std::numeric_limits<int>::max(), counts.size(), " different words");
    words_.reserve(counts.size());
    for (const auto& [text, count] : counts) {
      std::vector<int> symbols;
      for (const Character& c : characters_in(text)) {
        const bool is_last = c.bytes.end() == std::string_view(text).end();
        symbols.push_back(intern(std::string(c.bytes) + (is_last ? "</w>" : "")));
      }
      words_.push_back({.symbols = {}, .count = count});
      set_symbols(static_cast<int>(words_.size()) - 1, std::move(symbols));
    }
    apply_changes();
  }

  std::vector<Merge> learn(Index merges, const LearningProgress& progress) {
    std::vector<Merge> learned;
    while (std::ssize(learned) < merges && !by_count_.empty()) {
      const int best = *by_count_.rbegin();
      learned.push_back({texts_[pairs_[best].first], texts_[pairs_[best].second]});
      merge(best);
      if (progress) progress(std::ssize(learned));
    }
    return learned;
  }

 private:
  struct Word {
    std::vector<int> symbols;  // indices into texts_
    Index count;               // in the text
  };
  struct Pair {
    int first, second;
    Index count = 0;
    std::vector<int> words = {};  // all that hold the pair, and some that no longer do
  };
  // Orders pairs by count, and those of equal counts by the texts of their two symbols.
  struct IsLessFrequent {
    const Learner& learner;
    bool operator()(int a, int b) const {
      const Pair &p = learner.pairs_[a], &q = learner.pairs_[b];
      if (p.count != q.count) return p.count < q.count;
      const std::vector<std::string>& texts = learner.texts_;
      return std::tie(texts[p.first], texts[p.second]) < std::tie(texts[q.first], texts[q.second]);
    }
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
    if (is_new) pairs_.push_back({.first = first, .second = second});
    return entry->second;
  }

  // Gives word w other symbols, and notes which pairs it loses and which it gains.
  void set_symbols(int w, std::vector<int> symbols) {
    std::map<int, Index> changes;  // how often more the word has each pair
    const auto count = [&](const std::vector<int>& of, Index times) {
      for (std::size_t i = 0; i + 1 < of.size(); ++i) changes[find_or_add_pair(of[i], of[i + 1])] += times;
    };
    count(words_[w].symbols, -1);
    count(symbols, 1);
    for (const auto& [pair, times] : changes) {
      if (times > 0) pairs_[pair].words.push_back(w);
      if (times != 0) changes_[pair] += times * words_[w].count;
    }
    words_[w].symbols = std::move(symbols);
  }

  // Brings the counts of the pairs up to date, and their order.
  void apply_changes() {
    for (const auto& [pair, change] : changes_) {
      by_count_.erase(pair);
      pairs_[pair].count += change;
      if (pairs_[pair].count >= fewest_) by_count_.insert(pair);
    }
    changes_.clear();
  }

  // Joins the pair in every word that holds it, from left to right.
  void merge(int pair) {
    const int first = pairs_[pair].first, second = pairs_[pair].second;
    const int both = intern(texts_[first] + texts_[second]);
    for (const int w : std::exchange(pairs_[pair].words, {})) {
      const std::vector<int>& old = words_[w].symbols;
      std::vector<int> joined;
      for (std::size_t i = 0; i < old.size(); ++i) {
        const bool is_pair = i + 1 < old.size() && old[i] == first && old[i + 1] == second;
        joined.push_back(is_pair ? both : old[i]);
        if (is_pair) ++i;
      }
      if (joined.size() < old.size()) set_symbols(w, std::move(joined));
    }
    apply_changes();
  }

  Index fewest_;
  std::vector<std::string> texts_;  // the texts of the symbols
  std::unordered_map<std::string, int> symbol_of_text_;
  std::vector<Word> words_;
  std::vector<Pair> pairs_;
  std::unordered_map<std::uint64_t, int> pair_of_symbols_;
  std::unordered_map<int, Index> changes_;  // of the counts of pairs, by pair
  std::set<int, IsLessFrequent> by_count_;  // the pairs that occur at least fewest_ times
};

}  // namespace

std::vector<Merge> learn_merges(const WordCounts& counts, Index merges, Index fewest,
                                const LearningProgress& progress) {
  return Learner(counts, fewest).learn(merges, progress);
}

}  // namespace plainformer::fast
