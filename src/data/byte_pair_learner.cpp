#include "data/byte_pair_learner.h"

#include <map>

#include "core/strings.h"
#include "data/text.h"
#include "ops/ways.h"

namespace plainformer {

namespace {

struct Word {
  std::vector<std::string> symbols;
  Index count;  // in the text
};
using PairCounts = std::map<Merge, Index>;  // of all that could be merged, in lexicographic order

// "low" -> "l", "o", "w</w>"
std::vector<std::string> characters_of(std::string_view word) {
  std::vector<std::string> characters;
  for (const Character& c : characters_in(word)) characters.emplace_back(c.bytes);
  if (!characters.empty()) characters.back() += "</w>";
  return characters;
}

PairCounts count_pairs(const std::vector<Word>& words) {
  PairCounts counts;
  for (const auto& [symbols, count] : words)
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) counts[{symbols[i], symbols[i + 1]}] += count;
  return counts;
}

// The symbols with the pair joined wherever it occurs, from left to right: l, o, w</w> with l, o -> lo, w</w>
std::vector<std::string> joined(const std::vector<std::string>& symbols, const Merge& pair) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const bool is_pair = i + 1 < symbols.size() && symbols[i] == pair.first && symbols[i + 1] == pair.second;
    result.push_back(is_pair ? pair.first + pair.second : symbols[i]);
    if (is_pair) ++i;
  }
  return result;
}

}  // namespace

std::vector<Merge> learn_merges(const WordCounts& counts, Index merges, Index fewest,
                                const LearningProgress& progress) {
  if (ways.byte_pairs == Way::kFast) return fast::learn_merges(counts, merges, fewest, progress);

  // Step 1. Split each word into its characters.
  std::vector<Word> words;
  for (const auto& [text, count] : counts) words.push_back({characters_of(text), count});

  std::vector<Merge> learned;
  while (std::ssize(learned) < merges) {
    // Step 2. Count the pairs of neighbors.
    const PairCounts pairs = count_pairs(words);

    // Step 3. Take the most frequent one; of equally frequent ones, the last in lexicographic order.
    Merge best;
    Index most = 0;
    for (const auto& [pair, count] : pairs) {
      if (count < most) continue;
      best = pair;
      most = count;
    }
    if (most < fewest) break;

    // Step 4. Join it in every word.
    for (Word& word : words) word.symbols = joined(word.symbols, best);
    learned.push_back(best);
    if (progress) progress(std::ssize(learned));
  }
  return learned;
}

void count_words(std::string_view line, WordCounts& counts) {
  constexpr Index kMostBytes = 10'000;
  for (std::string_view word : split_at_spaces(line))
    if (std::ssize(word) <= kMostBytes) ++counts[std::string(word)];
}

}  // namespace plainformer
