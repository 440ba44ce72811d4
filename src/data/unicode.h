// Classes of Unicode's characters, and their cases, as Python has them, because sacreBLEU, whose scores ours
// equal, asks Python. The classes tell where words end. unicode_tables.h, which a script makes, names the
// version of Unicode.
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

// The small letter of a capital; any other character itself. U+0130, the capital I with a dot, stays too,
// because its small letter is two characters.
char32_t small_letter_of(char32_t c);

// The capital of a small letter, of several the first; any other character itself.
char32_t capital_of(char32_t c);

}  // namespace unicode

// The text, which is UTF-8, in lower case, without a locale, as Python's str.lower() writes it. Two capitals
// are special: sigma, which is another small letter at the end of a word, and the Turkish I with a dot, which
// becomes i and a dot above. Malformed bytes are kept.
std::string to_lowercase(std::string_view text);

}  // namespace plainformer
