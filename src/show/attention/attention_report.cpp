#include "show/attention/attention_report.h"

#include <algorithm>
#include <cmath>

#include "core/input_error.h"
#include "core/special_symbols.h"
#include "core/split.h"
#include "io/json.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

// "Encoder-decoder attention, layer 1"
std::string title_of_layer(const AttentionOfKind& attention, std::size_t layer) {
  return title_of(attention.kind) + ", layer " + std::to_string(attention.layers[layer]);
}

// One head of [heads, query_len, key_len].
Tensor matrix_of_head(const Tensor& weights, Index head) {
  const Index query_len = weights.dim(1), key_len = weights.dim(2);
  Tensor matrix({query_len, key_len});
  std::copy_n(weights.data() + head * matrix.size(), matrix.size(), matrix.mutable_data());
  return matrix;
}

JsonArray to_array(const std::vector<Index>& numbers) {
  return JsonArray(numbers.begin(), numbers.end());
}

JsonArray to_array(const std::vector<std::string>& texts) {
  return JsonArray(texts.begin(), texts.end());
}

// 0, 1 or .123 as JSON writes it: "0.123".
void append_weight(std::string& json, Real weight) {
  const int value = thousandths(weight);
  if (value % 1000 == 0) {
    json += value == 0 ? '0' : '1';
    return;
  }
  std::string digits = std::to_string(1000 + value).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  json += "0." + digits;
}

// [heads, query_len, key_len] as [head][from][to].
void append_layer(std::string& json, const Tensor& weights) {
  const Real* weight = weights.data();
  for (Index head = 0; head < weights.dim(0); ++head) {
    json += head == 0 ? "[" : ",\n[";
    for (Index query = 0; query < weights.dim(1); ++query) {
      json += query == 0 ? "[" : ",[";
      for (Index key = 0; key < weights.dim(2); ++key) {
        if (key > 0) json += ',';
        append_weight(json, *weight++);
      }
      json += ']';
    }
    json += ']';
  }
}

std::string queries_of(const AttentionOfKind& attention) {
  return " (" + row_heading(attention) + ": " + join(" ", attention.queries) + ")";
}

std::string keys_of(const AttentionOfKind& attention) {
  return " (" + column_heading(attention) + ": " + join(" ", attention.keys) + ")";
}

}  // namespace

std::string row_heading(const AttentionOfKind& attention) {
  if (attention.kind == AttentionKind::kEncoderSelf) return "source";
  return attention.first_query_word == 0 ? "target as written" : "target as read";
}

std::string column_heading(const AttentionOfKind& attention) {
  return attention.kind == AttentionKind::kDecoderSelf ? "target as read" : "source";
}

std::string attention_text(const std::vector<AttentionOfKind>& kinds, AttentionMapStyle style) {
  std::string text;
  for (const AttentionOfKind& attention : kinds) {
    style.rows = row_heading(attention);
    style.columns = column_heading(attention);
    for (std::size_t layer = 0; layer < attention.layers.size(); ++layer) {
      for (std::size_t head = 0; head < attention.heads.size(); ++head) {
        style.legend = layer + 1 == attention.layers.size() && head + 1 == attention.heads.size();
        text += (text.empty() ? "" : "\n") + title_of_layer(attention, layer) + ", head " +
                std::to_string(attention.heads[head]) + "\n" +
                draw_attention_map(matrix_of_head(attention.weights[layer], static_cast<Index>(head)),
                                   attention.queries, attention.keys, style);
      }
    }
  }
  return text;
}

std::string heat_map_description(const AttentionOfKind& attention) {
  return "A map for each head, with a row for each query" + queries_of(attention) +
         " and a column for each key" + keys_of(attention) + ". The numbers are hundredths.";
}

AttentionFigure attention_figure(const AttentionOfKind& attention, const std::string& word) {
  AttentionFigure figure;
  figure.title = title_of_layer(attention, 0);
  figure.queries = attention.queries;
  figure.keys = attention.keys;
  figure.query_heading = row_heading(attention);
  figure.key_heading = column_heading(attention);
  figure.weights = attention.weights.front();
  figure.heads = attention.heads;
  for (const PiecedWord& each : words_of_pieces(attention.queries)) {
    for (Index i = 0; i < each.pieces && !word.empty() && each.text == word; ++i)
      figure.only.push_back(each.first + i);
  }
  if (!word.empty() && figure.only.empty())
    throw input_error("--word", "no row of the picture is the word " + word,
                      "its rows are: " + truncate_to_width(join(" ", attention.queries), 200));
  figure.description = "Where each word on the left" + queries_of(attention) +
                       " looks among those on the right" + keys_of(attention) +
                       ". The color shows which head, the opacity how much.";
  return figure;
}

std::string attention_json(const std::vector<AttentionOfKind>& kinds) {
  std::string json = "[";
  for (const AttentionOfKind& attention : kinds) {
    if (json.size() > 1) json += ",\n";
    json += "{\"name\": " + to_json(title_of(attention.kind)) +
            ",\n\"left_text\": " + to_json(to_array(attention.queries)) +
            ",\n\"right_text\": " + to_json(to_array(attention.keys)) +
            ",\n\"layers\": " + to_json(to_array(attention.layers)) +
            ", \"heads\": " + to_json(to_array(attention.heads)) + ",\n\"attn\": [";
    for (std::size_t layer = 0; layer < attention.layers.size(); ++layer) {
      json += layer == 0 ? "[" : "],\n[";
      append_layer(json, attention.weights[layer]);
    }
    json += "]]}";
  }
  return json + "]\n";
}

Index count_weights(const std::vector<AttentionOfKind>& kinds) {
  Index count = 0;
  for (const AttentionOfKind& attention : kinds)
    for (const Tensor& layer : attention.weights) count += layer.size();
  return count;
}

int thousandths(Real weight) {
  if (std::isnan(weight)) return 0;
  return static_cast<int>(std::lround(1000 * std::clamp(static_cast<double>(weight), 0.0, 1.0)));
}

}  // namespace plainformer
