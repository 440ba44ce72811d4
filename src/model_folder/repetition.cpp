#include "model_folder/repetition.h"

#include "model_folder/sentences.h"

namespace plainformer {

namespace {

constexpr Index kLongestUnit = 4;
constexpr Index kFewestWords = 4, kFewestPieces = 12;  // times in a row

// How many of the items from `first` on are equal to the one that stands `distance` items before them.
Index equal_at_distance(const std::vector<std::string>& items, Index first, Index distance) {
  Index count = 0;
  for (Index i = first; i < std::ssize(items); ++i, ++count)
    if (items[static_cast<std::size_t>(i)] != items[static_cast<std::size_t>(i - distance)]) break;
  return count;
}

std::vector<std::string> texts_of(const std::vector<PiecedWord>& words) {
  std::vector<std::string> texts;
  for (const PiecedWord& word : words) texts.push_back(word.text);
  return texts;
}

std::vector<std::string> part_of(const std::vector<std::string>& pieces, Index first, Index count) {
  return {pieces.begin() + first, pieces.begin() + first + count};
}

// The repetition within a word that has the most.
RunawayRepetition within_a_word(const std::vector<std::string>& pieces,
                                const std::vector<PiecedWord>& words) {
  RunawayRepetition most;
  for (const PiecedWord& word : words) {
    const std::vector<std::string> own = part_of(pieces, word.first, word.pieces);
    const Repetition found = longest_repetition(own);
    if (found.times > most.times)
      most = {.pieces = part_of(own, found.first, found.length), .times = found.times};
  }
  return most;
}

}  // namespace

Repetition longest_repetition(const std::vector<std::string>& items) {
  Repetition longest;
  for (Index length = 1; length <= kLongestUnit; ++length) {
    for (Index first = 0; first + length < std::ssize(items);) {
      const Index equal = equal_at_distance(items, first + length, length), times = 1 + equal / length;
      if (times > longest.times) longest = {.first = first, .length = length, .times = times};
      first += equal + 1;
    }
  }
  return longest;
}

std::optional<RunawayRepetition> runaway_repetition(const std::vector<std::string>& translation,
                                                    const std::vector<std::string>& source) {
  const std::vector<PiecedWord> words = words_of_pieces(translation), source_words = words_of_pieces(source);
  const Repetition repeated = longest_repetition(texts_of(words));
  if (repeated.times >= kFewestWords && repeated.times > longest_repetition(texts_of(source_words)).times) {
    RunawayRepetition found = {.pieces = {}, .times = repeated.times};
    for (Index i = repeated.first; i < repeated.first + repeated.length; ++i) {
      const PiecedWord& word = words[static_cast<std::size_t>(i)];
      const std::vector<std::string> own = part_of(translation, word.first, word.pieces);
      found.pieces.insert(found.pieces.end(), own.begin(), own.end());
    }
    return found;
  }
  const RunawayRepetition within = within_a_word(translation, words);
  if (within.times >= kFewestPieces && within.times > within_a_word(source, source_words).times)
    return within;
  return std::nullopt;
}

}  // namespace plainformer
