// Cuts a text into words, and joins words to a text. A model reads words with blanks between them; people
// write "schläft.". Where text is cut into words and marks, a token says which blanks were not there, so the
// cut can be undone:
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

CharacterKind kind_of(char32_t c);

struct ScannedToken {
  std::string_view text;  // a view into the line
  CharacterKind kind;     // kLetter, kUnspaced or kSymbol
  bool is_opening;        // an opening bracket or quote
  bool follows_blank;     // or begins the line
};

// The words and marks of a line, in order; together they are all of it but its blanks. Takes O(n) time.
// Addresses of web pages and of mail are words. So is a run of letters, numbers and marks, in which an
// apostrophe or a hyphen may stand between two letters, and a full stop, a comma or a colon between two
// digits.
std::vector<ScannedToken> scan_words(std::string_view line);

// How the text of a model becomes words, and its rare words pieces. By default, blanks alone end a word, and
// the text must be tokenized.
struct WordRule {
  bool marks = false;  // each mark of punctuation, and each character of Han, Thai, ..., is a word of its own
  bool case_marks = false;    // also, a capital becomes a mark and a small letter; needs `marks`
  bool cuts_unknown = false;  // pieces that the vocabulary lacks are cut further (cut_unknown_pieces)

  // The words of a line, with a blank between them; without marks, the line itself. Any bytes are allowed.
  std::string cut(std::string_view line) const;

  // Undoes cut: for every line of UTF-8, join(cut(line)) is the line, up to blanks. ASCII white space is a
  // blank; at the line's ends there are none, and between two words there is one. Takes any words.
  std::string join(std::string_view words) const;

  friend bool operator==(const WordRule&, const WordRule&) = default;
};

// The rule as metadata of a model. Models without such metadata are cut at blanks, and the default has none.
Metadata metadata_of(const WordRule& rule);
// input_error, which names `where`, for an unknown value, and for marks of case without marks of words.
WordRule word_rule_from(const Metadata& metadata, const std::string& where);

}  // namespace plainformer
