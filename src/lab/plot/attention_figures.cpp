// Figures 3 to 5 of the paper, on a sentence of the built-in grammar and the trained preset `toy`.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "lab/pictures/attention_figure.h"
#include "lab/plot/plots.h"
#include "lab/plot/toy_attention.h"

namespace plainformer {

namespace {

ToyAttention recorded(const std::string& folder) {
  return read_toy_attention(folder + "/attention.json");
}

std::runtime_error not_the_recorded_sentence(const std::string& problem) {
  return input_error("attention.json", problem, "take the file of docs/pictures");
}

// The chosen heads of a layer.    weights [heads, query_len, key_len]
Tensor heads_of(const Tensor& weights, const std::vector<Index>& heads) {
  const Index query_len = weights.dim(1), key_len = weights.dim(2);
  Tensor chosen({std::ssize(heads), query_len, key_len});
  Real* to = chosen.mutable_data();
  for (const Index head : heads) {
    if (head >= weights.dim(0)) throw not_the_recorded_sentence("has no head " + std::to_string(head));
    to = std::copy_n(weights.data() + head * query_len * key_len, query_len * key_len, to);
  }
  return chosen;
}

// The position of a word in the source.
Index position_of(const std::string& word, const ToyAttention& attention) {
  const auto found = std::find(attention.source.begin(), attention.source.end(), word);
  if (found == attention.source.end()) throw not_the_recorded_sentence("has no token \"" + word + "\"");
  return found - attention.source.begin();
}

AttentionFigure encoder_figure(const ToyAttention& attention, const std::vector<Index>& heads,
                               const std::vector<Index>& only) {
  return {.queries = attention.source,
          .keys = attention.source,
          .query_heading = "from",
          .key_heading = "to",
          .weights = heads_of(attention.encoder, heads),
          .heads = heads,
          .only = only};
}

}  // namespace

std::string draw_figure_3(const std::string& folder) {
  const ToyAttention attention = recorded(folder);
  AttentionFigure figure = encoder_figure(attention, {0, 1, 2, 3}, {position_of("buys", attention)});
  figure.title = "Figure 3: a long-distance dependency";
  figure.description =
      "Encoder self-attention of the trained toy, last layer, four heads: the lines from the word buys. "
      "Heads 0 and 2 look past the small queen at that, the conjunction.";
  return attention_lines_svg(figure);
}

std::string draw_figure_4(const std::string& folder) {
  const ToyAttention attention = recorded(folder);
  AttentionFigure figure =
      encoder_figure(attention, {1, 3}, {position_of("the", attention), position_of("this", attention)});
  figure.title = "Figure 4: two heads, two articles";
  figure.description =
      "Encoder self-attention of the trained toy, last layer: the lines from the and this. Head 3 looks at "
      "their nouns, queen and book. Head 1 looks mostly at the word before.";
  return attention_lines_svg(figure);
}

std::string draw_figure_5(const std::string& folder) {
  const ToyAttention attention = recorded(folder);
  const std::vector<Index> heads = {0, 1};
  const AttentionFigure figure = {
      .title = "Figure 5: the structure of the sentence",
      .description =
          "Encoder-decoder attention of the trained toy, last layer, two heads. Head 0 goes word by word, "
          "and from "
          "kauft, at the end, back to buys. Head 1 goes from every word of a noun phrase to its noun.",
      .queries = attention.target,
      .keys = attention.source,
      .query_heading = "predicted",
      .key_heading = "source",
      .weights = heads_of(attention.encoder_decoder, heads),
      .heads = heads};
  return attention_lines_svg(figure);
}

}  // namespace plainformer
