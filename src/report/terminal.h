// Text on a terminal: its color, its width, and attention weights drawn as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

// True for a terminal that understands colors, unless NO_COLOR is set and not empty (no-color.org).
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

// ---- attention weights: a row for each target token, a column for each source token. Each row sums to 1 and
// shows where its token looked.
//
//                the
//                │  cat
//                │  │  sleeps
//           die  ██ ·  ·
//         Katze  ░░ ▓▓ ·
//       schläft  ·  ░░ ▓▓
//   rows: target, columns: source   · < .05  ░ < .2  ▒ < .4  ▓ < .7  █

struct AttentionMapStyle {
  int width = 80;  // columns of the terminal; a note says if some source tokens do not fit
  std::string rows = "target";
  std::string columns = "source";
  bool legend = true;
};

// Draws the map; NaN is drawn as "?". Control characters in tokens are replaced. Ends with a newline.
std::string draw_attention_map(const Tensor& weights,  // [target_len, source_len]
                               const std::vector<std::string>& target, const std::vector<std::string>& source,
                               const AttentionMapStyle& style = {});

}  // namespace plainformer
