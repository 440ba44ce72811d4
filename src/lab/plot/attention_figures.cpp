// Figures 3 to 5 of the paper, on a sentence of the built-in grammar and the trained preset `toy`.
#include <algorithm>

#include "lab/pictures/attention_figure.h"
#include "lab/plot/plots.h"
#include "lab/plot/toy_attention.h"

namespace plainformer {

namespace {

// Heads of the last encoder layer, [heads, source_len, source_len].
Tensor heads_of(const Tensor& weights, const std::vector<Index>& heads) {
  const Index query_len = weights.dim(1), key_len = weights.dim(2);
  Tensor chosen({std::ssize(heads), query_len, key_len});
  Real* to = chosen.mutable_data();
  for (const Index head : heads)
    to = std::copy_n(weights.data() + head * query_len * key_len, query_len * key_len, to);
  return chosen;
}

AttentionFigure encoder_figure(const std::vector<Index>& heads, const std::vector<Index>& only) {
  return {.queries = toy_source(),
          .keys = toy_source(),
          .query_heading = "from",
          .key_heading = "to",
          .weights = heads_of(toy_encoder_weights(), heads),
          .heads = heads,
          .only = only};
}

}  // namespace

std::string draw_figure_3() {
  constexpr Index kBuys = 6;
  AttentionFigure figure = encoder_figure({0, 1, 2, 3}, {kBuys});
  figure.title = "Figure 3: a long-distance dependency";
  figure.description =
      "Encoder self-attention of the trained toy, last layer, four heads: the lines from the word buys. "
      "Heads 0 and 2 look past the small queen at that, the conjunction.";
  return attention_lines_svg(figure);
}

std::string draw_figure_4() {
  constexpr Index kThe = 3, kThis = 7;
  AttentionFigure figure = encoder_figure({1, 3}, {kThe, kThis});
  figure.title = "Figure 4: two heads, two articles";
  figure.description =
      "Encoder self-attention of the trained toy, last layer: the lines from the and this. Head 3 looks at "
      "their nouns, queen and book. Head 1 looks mostly at the word before.";
  return attention_lines_svg(figure);
}

std::string draw_figure_5() {
  const AttentionFigure figure = {
      .title = "Figure 5: the structure of the sentence",
      .description =
          "Encoder-decoder attention of the trained toy, last layer, two heads. Head 0 goes word by word, "
          "and from "
          "kauft, at the end, back to buys. Head 1 goes from every word of a noun phrase to its noun.",
      .queries = toy_target(),
      .keys = toy_source(),
      .query_heading = "predicted",
      .key_heading = "source",
      .weights = toy_encoder_decoder_weights(),
      .heads = {0, 1}};
  return attention_lines_svg(figure);
}

}  // namespace plainformer
