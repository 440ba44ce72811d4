#include "data/odd_pairs.h"

#include <algorithm>
#include <unordered_set>

#include "core/strings.h"
#include "data/text.h"
#include "data/words.h"

namespace plainformer {

namespace {

// The number of code points of valid UTF-8: every byte but those that continue one.
double length_of(const std::string& text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Has the text an accent that follows its letter as a separate character, such as the two dots in "o\u0308"?
bool has_combining_accent(const std::string& text) {
  const std::vector<Character> characters = characters_in(text);
  return std::any_of(characters.begin(), characters.end(),
                     [](const Character& c) { return c.value >= 0x300 && c.value <= 0x36F; });
}

bool are_unequal(double length, double other) {
  constexpr double kRatio = 4, kSlack = 10;
  return std::max(length, other) > kRatio * std::min(length, other) + kSlack;
}

std::vector<std::string> sorted_files(const ParallelCorpus& corpus) {
  using LinePair = ParallelCorpus::LinePair;
  constexpr std::ptrdiff_t kFewestLines = 20;
  std::vector<std::string> files;
  const std::vector<LinePair>& pairs = corpus.pairs();
  for (auto begin = pairs.begin(), end = begin; begin != pairs.end(); begin = end) {
    end = std::find_if(begin, pairs.end(), [&](const LinePair& pair) { return pair.file != begin->file; });
    const auto ascends = [&](std::string LinePair::*side) {
      const auto precedes = [&](const LinePair& a, const LinePair& b) { return a.*side < b.*side; };
      return precedes(*begin, end[-1]) && std::is_sorted(begin, end, precedes);
    };
    const bool is_copy =
        std::all_of(begin, end, [](const LinePair& pair) { return pair.source == pair.target; });
    if (end - begin >= kFewestLines && !is_copy && ascends(&LinePair::source) && ascends(&LinePair::target))
      files.push_back(corpus.place_of(*begin).file);
  }
  return files;
}

bool has_piece(std::string_view line) {
  const std::vector<std::string_view> words = split_words(line);
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i].size() > 2 && words[i].ends_with("@@")) return true;
  return false;
}

}  // namespace

OddPairs odd_pairs_of(const ParallelCorpus& corpus) {
  double sources = 0, targets = 0;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    sources += length_of(pair.source);
    targets += length_of(pair.target);
  }
  OddPairs odd;
  std::unordered_set<std::uint64_t> before;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    const std::uint64_t source = sentence_key(pair.source), target = sentence_key(pair.target);
    if (!before.insert(pair_key(source, target)).second) odd.repeated.add(corpus.place_of(pair));
    if (source == target) odd.equal.add(corpus.place_of(pair));
    if (are_unequal(length_of(pair.source) * targets / sources, length_of(pair.target)))
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

PairCount pairs_with_pieces(const ParallelCorpus& corpus) {
  constexpr Index kShare = 20;
  PairCount count;
  for (const ParallelCorpus::LinePair& pair : corpus.pairs())
    if (has_piece(pair.source) || has_piece(pair.target)) count.add(corpus.place_of(pair));
  return count.pairs * kShare < std::ssize(corpus.pairs()) ? PairCount() : count;
}

std::vector<std::string> words_ending_in_at_at(std::string_view line) {
  std::vector<std::string> found;
  if (line.find("@@") == std::string_view::npos) return found;
  for (std::string_view word : split_words(line))
    if (word.ends_with("@@")) found.emplace_back(word);
  return found;
}

std::optional<PlacedWord> first_word_ending_in_at_at(const ParallelCorpus& corpus) {
  for (const ParallelCorpus::LinePair& pair : corpus.pairs()) {
    for (const std::string* line : {&pair.source, &pair.target}) {
      const std::vector<std::string> found = words_ending_in_at_at(*line);
      if (!found.empty()) return PlacedWord{found.front(), corpus.place_of(pair)};
    }
  }
  return std::nullopt;
}

std::optional<bool> looks_tokenized(const ParallelCorpus& corpus) {
  constexpr Index kMostPairs = 10'000, kShare = 10;
  const Index pairs = std::min(std::ssize(corpus.pairs()), kMostPairs);
  Index attached = 0, detached = 0;
  for (Index i = 0; i < pairs; ++i) {
    const ParallelCorpus::LinePair& pair = corpus.pairs()[i];
    for (const std::string* line : {&pair.source, &pair.target}) {
      const std::vector<ScannedToken> tokens = scan_words(*line);
      if (tokens.size() < 2 || tokens.back().kind != CharacterKind::kSymbol) continue;
      ++(tokens.back().follows_blank ? detached : attached);
    }
  }
  if (std::max(attached, detached) * kShare < pairs) return std::nullopt;
  return detached > attached;
}

}  // namespace plainformer
