// The classes and cases of Unicode's characters as Python defines them. The classes tell where words end. A
// script makes unicode_tables.h, which names the version of Unicode.
#pragma once

#include <string>
#include <string_view>

namespace plainformer {

namespace unicode {

enum class CharacterClass : char {
  kLetter = 'l',     // letters, and characters without a class
  kNumber = 'n',     // the general categories N
  kMark = 'm',       // accents and other marks on a letter: the general categories M
  kSymbol = 's',     // punctuation and symbols: the general categories P and S
  kOpening = 'o',    // among these, opening brackets and quotes: Ps and Pi
  kInvisible = 'i',  // white space, controls and formats: Z, Cc and Cf
  kUnspaced = 'u',   // a letter or a mark of punctuation of a writing system that puts no space between
                     // words: Han, kana, Thai, Khmer, ...
};

CharacterClass class_of(char32_t c);

// The small letter of a capital; any other character unchanged, and also U+0130, the capital I with a dot,
// because its small letter is two characters.
char32_t small_letter_of(char32_t c);

// The first capital of a small letter; any other character unchanged.
char32_t capital_of(char32_t c);

}  // namespace unicode

// The text, in UTF-8, with each capital's small letter, whatever the locale. Two capitals are special: sigma
// has another small letter at the end of a word, and the Turkish I with a dot becomes an i and a dot above.
// Malformed bytes are kept.
std::string to_lowercase(std::string_view text);

}  // namespace plainformer
