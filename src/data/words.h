// Cuts a text into words, and joins words to a text. A model reads words with blanks between them, but people
// write "schläft.". A cut into words and marks notes in the tokens where there was no blank, so that it can
// be undone:
//
//   Ein Mann (links) schläft.  <->  Ein Mann (￭ links ￭) schläft ￭.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/parameter.h"

namespace plainformer {

// How a character takes part in words.
enum class CharacterKind {
  kBlank,   // ASCII white space
  kLetter,  // letters and numbers; a run of them is a word
  kMark,    // a combining mark, or a joiner inside emoji and Indic words; belongs to the character before it
  kUnspaced,  // Han, kana, Thai, ... and their punctuation: alone, and no blank between two of them
  kSymbol     // punctuation, symbols, invisible characters: alone
};

struct ScannedToken {
  std::string_view text;  // a view into the line
  CharacterKind kind;     // kLetter, kUnspaced or kSymbol
  bool is_opening;        // an opening bracket or quote
  bool follows_blank;     // or begins the line
};

// The words and marks of a line in order, which are the whole line but its blanks. Takes O(n) time. A word is
// an address of a web page or of mail, or a run of letters, numbers and marks. Between two letters of a run
// there may be an apostrophe or a hyphen, and between two digits a full stop, a comma or a colon.
std::vector<ScannedToken> scan_words(std::string_view line);

// The digits of a word, without the marks between them: 4,711 is 4.711 in German.
std::string digits_of(std::string_view word);

// How a model cuts text into words, and rare words into pieces. By default only blanks end a word, so the
// text must be tokenized.
struct WordRule {
  // Each mark of punctuation, and each character of Han, Thai, ..., is a word of its own, and a piece that
  // the vocabulary lacks is cut further (cut_unknown_pieces).
  bool marks = false;

  // The words of a line with a blank between them; without `marks`, the line itself. Any bytes are allowed.
  std::string cut(std::string_view line) const;

  // Undoes cut: for every line of UTF-8, join(cut(line)) is the line, but with one blank for each run of
  // ASCII white space, and none at its ends. Takes any words.
  std::string join(std::string_view words) const;

  friend bool operator==(const WordRule&, const WordRule&) = default;
};

// The rule as metadata of a model; none for the default.
Metadata metadata_of(const WordRule& rule);
// input_error, which names `where`, for an unknown value.
WordRule word_rule_from(const Metadata& metadata, const std::string& where);

}  // namespace plainformer
