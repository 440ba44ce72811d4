// Attention weights as pictures: two columns of words with lines between them, as in figures 3 to 5 of the
// paper, and heat maps. Each is an SVG file that stands alone (lab/pictures/picture.h).
#pragma once

#include <string>
#include <vector>

#include "core/tensor.h"
#include "show/pictures/picture.h"

namespace plainformer {

inline constexpr Index kHeadStyles = 3 * kPictureColors;  // solid, dashed and dotted; more heads repeat them
inline constexpr Index kMostFigureWords = 200;            // on either side
inline constexpr double kLeastDrawnWeight = 0.01;         // less cannot be seen

struct AttentionFigure {
  std::string title = {}, description = {};  // the description is for readers who cannot see the picture
  std::vector<std::string> queries = {}, keys = {};
  std::string query_heading = "query", key_heading = "key";
  Tensor weights = {};            // [heads, query_len, key_len]
  std::vector<Index> heads = {};  // their numbers, which set name and color; empty: 0, 1, ...
  // The queries whose lines are drawn; empty: all. If some are given, the words that they look at also have
  // colored strips behind them, one for each head, as figure 3 has for the word "making".
  std::vector<Index> only = {};
};

// Lines from each query to the keys that it looks at: the color says which head, the opacity how much. Labels
// are cut after 24 columns. std::logic_error unless the weights fit the words, and beyond kMostFigureWords.
std::string attention_lines_svg(const AttentionFigure& figure);

// A map for each head: a row for each query, a column for each key. The numbers are hundredths.
std::string attention_heat_map_svg(const AttentionFigure& figure);

}  // namespace plainformer
