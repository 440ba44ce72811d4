// The attention of a sentence pair as text, as a picture and as JSON.
#pragma once

#include <string>
#include <vector>

#include "show/attention/attended_pair.h"
#include "show/pictures/attention_figure.h"
#include "report/attention_map.h"

namespace plainformer {

// The names of the rows and of the columns: "target as written", "source".
std::string row_heading(const AttentionOfKind& attention);
std::string column_heading(const AttentionOfKind& attention);

// A map for each head of each layer.
std::string attention_text(const std::vector<AttentionOfKind>& kinds, AttentionMapStyle style);

// The heads of one layer, for lab/pictures/attention_figure. `word`: only the rows of this word, empty: all.
// std::runtime_error if no row has this word.
AttentionFigure attention_figure(const AttentionOfKind& attention, const std::string& word);

// Describes attention_heat_map_svg to readers who cannot see it. (The figure's own description is of
// attention_lines_svg.)
std::string heat_map_description(const AttentionOfKind& attention);

// [{"name": ..., "attn": [layer][head][from][to], "left_text": [...], "right_text": [...]}, ...], as BertViz
// reads it, and also the numbers of the layers and heads. Weights have three digits.
std::string attention_json(const std::vector<AttentionOfKind>& kinds);

// The number of weights. attention_json takes about 5 bytes for each.
Index count_weights(const std::vector<AttentionOfKind>& kinds);

// A weight in thousandths; 0 if it is not a number.
int thousandths(Real weight);

}  // namespace plainformer
