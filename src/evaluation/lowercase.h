// Lower case without a locale, as Python's str.lower() writes it, which sacreBLEU's -lc calls. Published
// scores, for Multi30k among others, are often computed on lowercased text, and compare only to scores of
// lowercased text.
//
// Covered: ASCII, Latin-1, Latin Extended-A, Latin Extended Additional, Greek (U+0370-03FF, final sigma
// included) and Cyrillic (U+0400-052F). Other scripts with case (Latin Extended-B, Armenian, Georgian,
// polytonic Greek, full-width Latin, ...) stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace plainformer {

// The text, which is UTF-8, in lower case. Malformed bytes are kept.
std::string to_lowercase(std::string_view text);

}  // namespace plainformer
