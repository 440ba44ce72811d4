// Classes of Unicode's characters as Python has them, because sacreBLEU, whose scores ours equal, asks Python. The same
// classes tell where words end.
// unicode_tables.h, which a script makes, names the version of Unicode. Characters that are newer have no class.
#pragma once

namespace plainformer::unicode {

bool is_space(char32_t c);        // str.isspace()
bool is_punctuation(char32_t c);  // the general categories P
bool is_symbol(char32_t c);       // the general categories S
bool is_number(char32_t c);       // the general categories N
bool is_mark(char32_t c);         // the general categories M: accents and other marks on a letter
bool is_opening(char32_t c);      // Ps and Pi: opening brackets and quotes
bool is_invisible(char32_t c);    // Z, Cc and Cf: white space, controls and formats

// A letter or a mark of punctuation of a writing system that puts no space between words: Han, kana, Thai, Khmer, ...
bool is_unspaced(char32_t c);

// Whether a letter, or another character, has an upper and a lower case.
bool is_cased(char32_t c);

// Whether a character may stand inside a word and does not show where it ends: apostrophes, full stops, accents,
// joiners.
bool is_case_ignorable(char32_t c);

// The small letter of a capital; any other character itself. U+0130, the capital I with a dot, stays too, because its
// small letter is two characters.
char32_t small_letter_of(char32_t c);

// The capital of a small letter, of several the first; any other character itself.
char32_t capital_of(char32_t c);

}  // namespace plainformer::unicode
