#include "data/fast/byte_pair_learner.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "core/check.h"
#include "core/utf8.h"
#include "data/text.h"

namespace plainformer::fast {

namespace {

// White space as Python's regular expressions define it.
constexpr std::array<std::string_view, 29> kWhiteSpace = {
    "\t",           "\n",           "\v",           "\f",           "\r",
    "\x1C",         "\x1D",         "\x1E",         "\x1F",         " ",
    "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
    "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86",
    "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
    "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};

bool is_empty_or_starts_with_white_space(std::string_view text) {
  const auto starts = [&](std::string_view space) { return text.starts_with(space); };
  return text.empty() || std::any_of(kWhiteSpace.begin(), kWhiteSpace.end(), starts);
}

bool is_empty_or_ends_with_white_space(std::string_view text) {
  const auto ends = [&](std::string_view space) { return text.ends_with(space); };
  return text.empty() || std::any_of(kWhiteSpace.begin(), kWhiteSpace.end(), ends);
}

class Learner {
 public:
  explicit Learner(const WordCounts& counts);
  std::vector<Merge> learn(Index merges, const LearningProgress& progress);

 private:
  using Symbols = std::vector<int>;  // indices into texts_

  struct Word {
    Symbols symbols;
    Index count = 0;
    bool has_white_space = false;
  };
  struct Occurrences {  // a change in the number of times that a pair occurs in a word
    int word;
    int change;
  };
  struct Pair {
    int first, second;
    Index count = 0;                       // up to date only while the pair is active
    Index pruned_count = 0;                // the count when the pair last became inactive
    bool active = false;                   // a candidate for the next merge
    std::vector<Occurrences> occurrences;  // a log, summed up when the pair is merged
  };

  int intern(std::string text);
  int find_or_add_pair(int first, int second);
  void change_count(int first, int second, int word, int change);
  int most_frequent() const;
  void prune(double threshold);
  void activate_all();
  std::vector<int> take_words_with(int pair);
  void merge(int pair);
  Symbols joined(const Word& word, int first, int second, int both) const;
  Symbols joined_across_white_space(const Word& word, int first, int second);

  std::vector<std::string> texts_;  // of the symbols
  std::unordered_map<std::string, int> symbol_of_text_;
  std::vector<Word> words_;
  std::vector<Pair> pairs_;
  std::unordered_map<std::uint64_t, int> pair_of_symbols_;
  std::vector<int> active_pairs_;
};

Learner::Learner(const WordCounts& counts) {
  for (const auto& [text, count] : counts) {
    Word word{.symbols = {}, .count = count};
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t length = decode_utf8(rest, 0).bytes;
      if (is_empty_or_starts_with_white_space(rest)) word.has_white_space = true;
      const std::string character(rest.substr(0, length));
      rest.remove_prefix(length);
      word.symbols.push_back(intern(rest.empty() ? character + "</w>" : character));
    }
    if (word.symbols.size() > 1) words_.push_back(std::move(word));
  }
  CHECK(words_.size() < std::numeric_limits<int>::max(), words_.size(), " different words");
  for (std::size_t w = 0; w < words_.size(); ++w) {
    const Symbols& symbols = words_[w].symbols;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      change_count(symbols[i], symbols[i + 1], static_cast<int>(w), 1);
    }
  }
  for (Pair& pair : pairs_) pair.pruned_count = pair.count;
}

int Learner::intern(std::string text) {
  const auto [entry, is_new] = symbol_of_text_.try_emplace(std::move(text), static_cast<int>(texts_.size()));
  if (is_new) texts_.push_back(entry->first);
  return entry->second;
}

int Learner::find_or_add_pair(int first, int second) {
  const std::uint64_t key =
      std::uint64_t{static_cast<std::uint32_t>(first)} << 32 | static_cast<std::uint32_t>(second);
  const auto [entry, is_new] = pair_of_symbols_.try_emplace(key, static_cast<int>(pairs_.size()));
  if (is_new) pairs_.push_back({.first = first, .second = second, .occurrences = {}});
  return entry->second;
}

void Learner::change_count(int first, int second, int word, int change) {
  const int index = find_or_add_pair(first, second);
  Pair& pair = pairs_[index];
  if (!pair.active) {
    pair.active = true;
    pair.count = 0;
    active_pairs_.push_back(index);
  }
  pair.count += change * words_[word].count;
  if (!pair.occurrences.empty() && pair.occurrences.back().word == word) {
    pair.occurrences.back().change += change;
  } else {
    pair.occurrences.push_back({word, change});
  }
}

// The most frequent active pair, and of equally frequent ones the lexicographically largest; -1 if none is active.
int Learner::most_frequent() const {
  int best = -1;
  for (int candidate : active_pairs_) {
    if (best >= 0) {
      const Pair& a = pairs_[candidate];
      const Pair& b = pairs_[best];
      if (a.count < b.count) continue;
      if (a.count == b.count &&
          std::tie(texts_[a.first], texts_[a.second]) < std::tie(texts_[b.first], texts_[b.second])) {
        continue;
      }
    }
    best = candidate;
  }
  return best;
}

// Deactivates the rare pairs, which shortens the search for the most frequent pair.
void Learner::prune(double threshold) {
  const auto is_rare = [&](int index) {
    Pair& pair = pairs_[index];
    if (static_cast<double>(pair.count) >= threshold) return false;
    // A negative count is a change since the pair was last deactivated.
    pair.pruned_count = pair.count < 0 ? pair.pruned_count + pair.count : pair.count;
    pair.active = false;
    return true;
  };
  active_pairs_.erase(std::remove_if(active_pairs_.begin(), active_pairs_.end(), is_rare),
                      active_pairs_.end());
}

void Learner::activate_all() {
  active_pairs_.clear();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    pairs_[i].active = true;
    pairs_[i].count = pairs_[i].pruned_count;
    active_pairs_.push_back(static_cast<int>(i));
  }
}

std::vector<Merge> Learner::learn(Index merges, const LearningProgress& progress) {
  constexpr Index kMinimumCount = 2;
  constexpr Index kStepsBetweenPruning = 100;
  std::vector<Merge> learned;
  if (pairs_.empty()) return learned;
  double threshold = static_cast<double>(pairs_[most_frequent()].count) / 10;
  for (Index step = 0; step < merges; ++step) {
    // Choose. If the best pair is below the threshold, an inactive pair may be more frequent: search all.
    int best = most_frequent();
    if (best < 0 || (step > 0 && static_cast<double>(pairs_[best].count) < threshold)) {
      prune(threshold);
      activate_all();
      best = most_frequent();
      threshold = static_cast<double>(pairs_[best].count * step) / (static_cast<double>(step) + 10000);
      prune(threshold);
    }
    if (pairs_[best].count < kMinimumCount) break;

    // Join it wherever it occurs.
    learned.push_back({texts_[pairs_[best].first], texts_[pairs_[best].second]});
    merge(best);
    if (step % kStepsBetweenPruning == 0) prune(threshold);
    if (progress) progress(step + 1, merges);
  }
  return learned;
}

// The words in which the pair occurs, according to its log. Empties the log.
std::vector<int> Learner::take_words_with(int pair) {
  std::vector<Occurrences> log;
  log.swap(pairs_[pair].occurrences);
  std::stable_sort(log.begin(), log.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
  std::vector<int> words;
  for (std::size_t i = 0; i < log.size();) {
    const int word = log[i].word;
    Index occurrences = 0;
    for (; i < log.size() && log[i].word == word; ++i) occurrences += log[i].change;
    if (occurrences > 0) words.push_back(word);
  }
  return words;
}

void Learner::merge(int pair) {
  const int first = pairs_[pair].first;
  const int second = pairs_[pair].second;
  const int both = intern(texts_[first] + texts_[second]);
  for (int w : take_words_with(pair)) {
    Symbols after = words_[w].has_white_space ? joined_across_white_space(words_[w], first, second)
                                              : joined(words_[w], first, second, both);
    const Symbols before = std::exchange(words_[w].symbols, std::move(after));
    const Symbols& now = words_[w].symbols;

    // "A B C" lost the pairs (A, B) and (B, C) around each joined pair; the one between "B C B C" is lost
    // only once.
    for (std::size_t i = 0; i + 1 < before.size(); ++i) {
      const auto is_pair_at = [&](std::size_t k) {
        return k + 1 < before.size() && before[k] == first && before[k + 1] == second;
      };
      if (!is_pair_at(i)) continue;
      if (i > 0) change_count(before[i - 1], before[i], w, -1);
      if (i + 2 < before.size() && !is_pair_at(i + 2)) change_count(before[i + 1], before[i + 2], w, -1);
      ++i;
    }
    // "A BC D" gained (A, BC) and (BC, D); the one inside "BC BC" is gained only once.
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] != both) continue;
      if (i > 0) change_count(now[i - 1], now[i], w, 1);
      if (i + 1 < now.size() && now[i + 1] != both) change_count(now[i], now[i + 1], w, 1);
    }
  }
  pairs_[pair].count = 0;
}

Learner::Symbols Learner::joined(const Word& word, int first, int second, int both) const {
  Symbols symbols;
  for (std::size_t i = 0; i < word.symbols.size(); ++i) {
    const bool is_pair =
        word.symbols[i] == first && i + 1 < word.symbols.size() && word.symbols[i + 1] == second;
    symbols.push_back(is_pair ? both : word.symbols[i]);
    if (is_pair) ++i;
  }
  return symbols;
}

// subword-nmt searches "first second" in the word's symbols written with spaces between them. White space
// inside a symbol looks like such a space to it: the pair (a, b) is then also found in the symbols
// "x<U+00A0>a" and "b".
Learner::Symbols Learner::joined_across_white_space(const Word& word, int first, int second) {
  std::string spaced;
  for (int symbol : word.symbols) spaced += (spaced.empty() ? "" : " ") + texts_[symbol];
  const std::string wanted = texts_[first] + " " + texts_[second];
  const std::string joined = texts_[first] + texts_[second];
  std::string replaced;
  std::size_t copied = 0;
  for (std::size_t at = spaced.find(wanted); at != std::string::npos;) {
    const std::string_view text = spaced;
    const std::size_t end = at + wanted.size();
    const bool is_separate = is_empty_or_ends_with_white_space(text.substr(0, at)) &&
                             is_empty_or_starts_with_white_space(text.substr(end));
    if (is_separate) {
      replaced += text.substr(copied, at - copied);
      replaced += joined;
      copied = end;
    }
    at = spaced.find(wanted, is_separate ? end : at + 1);
  }
  replaced += std::string_view(spaced).substr(copied);
  Symbols symbols;
  for (std::string_view symbol : split_at_spaces(replaced)) symbols.push_back(intern(std::string(symbol)));
  return symbols;
}

}  // namespace

std::vector<Merge> learn_merges(const WordCounts& counts, Index merges, const LearningProgress& progress) {
  return Learner(counts).learn(merges, progress);
}

}  // namespace plainformer::fast
