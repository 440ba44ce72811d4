// Attention weights drawn in the terminal: a row for each target token, a column for each source token. Rows
// sum to 1, so each row shows where that token looked.
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

enum class AttentionMapColor {
  kNone,     // shades made of characters
  kPalette,  // 24 grays of the 256-color palette
  kTrue      // 24-bit color, dark blue to yellow
};

struct AttentionMapStyle {
  AttentionMapColor color = AttentionMapColor::kNone;
  int width = 80;   // columns of the terminal; what does not fit is left out, with a note
  int height = 40;  // rows of the matrix, likewise
  std::string rows = "target";
  std::string columns = "source";
};

// `weights` in 0..1 (others are shown as the nearest, NaN as "?"); control characters in tokens are made
// harmless. Ends with a newline. Source labels stand above their columns if they are short enough, else as a
// staircase.
std::string draw_attention_map(const Tensor& weights,  // [target_len, source_len]
                               const std::vector<std::string>& target, const std::vector<std::string>& source,
                               const AttentionMapStyle& style = {});

}  // namespace plainformer
