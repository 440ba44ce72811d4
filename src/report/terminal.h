// Color on a terminal, and the width of text on it.
#pragma once

#include <string>
#include <string_view>

namespace plainformer {

// Is color welcome? On a terminal that understands it, unless NO_COLOR is set and not empty (no-color.org).
bool color_allowed(int file);

// Columns that UTF-8 text takes: 2 for an East Asian wide character or an emoji, 0 for a combining mark or a
// zero-width character, else 1. Terminals disagree on rare characters; the ranges here are the common ones.
int display_width(std::string_view text);

// The text, made safe to print on a terminal: control characters and malformed bytes become U+FFFD.
std::string printable(std::string_view text);

// The text, cut to at most `width` columns. The last column is an ellipsis if the text was longer.
std::string truncate_to_width(std::string_view text, int width);

// The text, cut to `width` columns or filled up to it with spaces.
std::string pad_right(std::string_view text, int width);  // spaces after the text
std::string pad_left(std::string_view text, int width);   // spaces before it

enum class Color { kRed = 31, kGreen = 32, kDim = 2, kBold = 1 };

// The text in a color or weight if `allowed`, else unchanged.
std::string colored(std::string_view text, Color color, bool allowed);

}  // namespace plainformer
