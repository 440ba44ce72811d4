// Finds the words and marks of a line of raw text.
#pragma once

#include <string_view>
#include <vector>

#include "core/utf8.h"

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
// Addresses of web pages and of mail are words. So is a run of letters, numbers and marks, in which an apostrophe or a
// hyphen may stand between two letters, and a full stop, a comma or a colon between two digits.
std::vector<ScannedToken> scan_words(std::string_view line);

}  // namespace plainformer
