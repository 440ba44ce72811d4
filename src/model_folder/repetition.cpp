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

// The repetition of pieces within a word that has the most.
Repetition within_a_word(const std::vector<std::string>& pieces, const std::vector<PiecedWord>& words) {
  Repetition most;
  for (const PiecedWord& word : words) {
    const auto begin = pieces.begin() + word.first;
    const Repetition found = longest_repetition({begin, begin + word.pieces});
    if (found.times > most.times)
      most = {.first = word.first + found.first, .length = found.length, .times = found.times};
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

std::optional<Repetition> runaway_repetition(const std::vector<std::string>& translation,
                                             const std::vector<std::string>& source) {
  const std::vector<PiecedWord> words = words_of_pieces(translation), source_words = words_of_pieces(source);
  const Repetition of_words = longest_repetition(texts_of(words));
  if (of_words.times >= kFewestWords && of_words.times > longest_repetition(texts_of(source_words)).times) {
    const PiecedWord &first = words[static_cast<std::size_t>(of_words.first)],
                     &last = words[static_cast<std::size_t>(of_words.first + of_words.length - 1)];
    return Repetition{
        .first = first.first, .length = last.first + last.pieces - first.first, .times = of_words.times};
  }
  const Repetition within = within_a_word(translation, words);
  if (within.times >= kFewestPieces && within.times > within_a_word(source, source_words).times)
    return within;
  return std::nullopt;
}

}  // namespace plainformer
