// Lower case without a locale, as Python's str.lower() writes it, which sacreBLEU's -lc calls. Published
// scores, for Multi30k among others, are often computed on lowercased text, and compare only to scores of
// lowercased text.
//
// Every letter of Unicode's version in unicode_tables.h is covered. Two capitals are special: sigma, which is
// another small letter at the end of a word, and the Turkish I with a dot, which becomes i and a dot above.
#pragma once

#include <string>
#include <string_view>

namespace plainformer {

// The text, which is UTF-8, in lower case. Malformed bytes are kept.
std::string to_lowercase(std::string_view text);

}  // namespace plainformer
