// Unicode's canonical composition (Unicode Standard Annex 15, form NFC). An accented letter can be written as one
// character, or as a letter and a mark; composed, both are the same bytes.
#pragma once

#include <string>
#include <string_view>

namespace plainformer {

// The text with every letter and its marks composed where Unicode has a character for them. Text that is composed
// already stays as it is, and so does text that is not valid UTF-8.
std::string composed(std::string_view utf8);

}  // namespace plainformer
