// Attention weights drawn in the terminal: a row for each target token, a column for each source token. Each
// row sums to 1 and shows where its token looked.
//
//                the
//                │  cat
//                │  │  sleeps
//           die  ██ ·  ·
//         Katze  ░░ ▓▓ ·
//       schläft  ·  ░░ ▓▓
//   rows: target, columns: source   · < .05  ░ < .2  ▒ < .4  ▓ < .7  █
#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"

namespace plainformer {

struct AttentionMapStyle {
  bool color = false;  // 24 grays of the 256-color palette instead of shades made of characters
  int width = 80;      // columns of the terminal; a note says if some source tokens do not fit
  int height = 40;     // rows of the matrix; a note says if some target tokens do not fit
  std::string rows = "target";
  std::string columns = "source";
  bool legend = true;
};

// The style for the terminal of a file descriptor: its width, and color if that is welcome.
AttentionMapStyle attention_map_style_for(int file_descriptor);

// Draws the map. Weights outside 0..1 are drawn as the nearest of the two, NaN as "?". Control characters in
// tokens are replaced. Source labels are above their columns if they are short enough, else as a staircase.
// Ends with a newline.
std::string draw_attention_map(const Tensor& weights,  // [target_len, source_len]
                               const std::vector<std::string>& target, const std::vector<std::string>& source,
                               const AttentionMapStyle& style = {});

}  // namespace plainformer
