#include "show/attention/attended_pair.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"
#include "core/special_symbols.h"
#include "decoding/given_translation.h"
#include "io/json.h"

namespace plainformer {

namespace {

using Tokens = std::vector<std::string>;

Tokens with_start(Tokens tokens) {
  tokens.insert(tokens.begin(), kSpecialSpellings[kStartId]);
  return tokens;
}

std::vector<Index> numbers_to(Index count) {
  std::vector<Index> numbers(count);
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

// One head of [heads, query_len, key_len].
Tensor matrix_of_head(const Tensor& weights, Index head) {
  const Index query_len = weights.dim(1), key_len = weights.dim(2);
  Tensor matrix({query_len, key_len});
  std::copy_n(weights.data() + head * matrix.size(), matrix.size(), matrix.mutable_data());
  return matrix;
}

template <typename T>
std::string to_json_array(const std::vector<T>& values) {
  return to_json(JsonArray(values.begin(), values.end()));
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

}  // namespace

std::vector<AttentionOfKind> attention_of_pair(const Transformer& model, const Sentence& source,
                                               const Sentence& target, DecoderRows rows) {
  AttentionWeights weights = capture_attention(model, source.ids, target.ids);
  const Tokens sources = with_end(source.pieces), inputs = with_start(target.pieces);
  const bool of_output = rows == DecoderRows::kOutput;
  const Tokens queries = of_output ? with_end(target.pieces) : inputs;
  const std::string target_rows = of_output ? "target as written" : "target as read";
  std::vector<AttentionOfKind> kinds = {
      {.name = kAttentionKinds[0],
       .title = "Encoder self-attention",
       .rows = "source",
       .columns = "source",
       .queries = sources,
       .keys = sources,
       .weights = std::move(weights.encoder_self)},
      {.name = kAttentionKinds[1],
       .title = "Decoder self-attention",
       .rows = target_rows,
       .columns = "target as read",
       .queries = queries,
       .keys = inputs,
       .weights = std::move(weights.decoder_self)},
      {.name = kAttentionKinds[2],
       .title = "Encoder-decoder attention",
       .rows = target_rows,
       .columns = "source",
       .queries = queries,
       .keys = sources,
       .weights = std::move(weights.encoder_decoder)},
  };
  for (AttentionOfKind& kind : kinds) {
    kind.layers = numbers_to(std::ssize(kind.weights));
    kind.heads = numbers_to(kind.weights.front().dim(0));
  }
  return kinds;
}

AttentionOfKind select(const AttentionOfKind& attention, const std::vector<Index>& layers,
                       const std::vector<Index>& heads) {
  const auto place_of = [](Index number, const std::vector<Index>& numbers) {
    const auto found = std::find(numbers.begin(), numbers.end(), number);
    CHECK(found != numbers.end(), "number ", number, " is not here");
    return found - numbers.begin();
  };
  AttentionOfKind part = attention;
  if (!layers.empty()) part.layers = layers;
  if (!heads.empty()) part.heads = heads;
  part.weights.clear();
  for (const Index layer : part.layers) {
    const Tensor& all = attention.weights[place_of(layer, attention.layers)];
    const Index query_len = all.dim(1), key_len = all.dim(2), matrix = query_len * key_len;
    Tensor selected({std::ssize(part.heads), query_len, key_len});
    Real* to = selected.mutable_data();
    for (const Index head : part.heads)
      to = std::copy_n(all.data() + place_of(head, attention.heads) * matrix, matrix, to);
    part.weights.push_back(selected);
  }
  return part;
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

std::string attention_text(const std::vector<AttentionOfKind>& kinds, AttentionMapStyle style) {
  std::string text;
  for (const AttentionOfKind& attention : kinds) {
    style.rows = attention.rows;
    style.columns = attention.columns;
    for (std::size_t layer = 0; layer < attention.layers.size(); ++layer) {
      for (std::size_t head = 0; head < attention.heads.size(); ++head) {
        style.legend = layer + 1 == attention.layers.size() && head + 1 == attention.heads.size();
        text += (text.empty() ? "" : "\n") + attention.title + ", layer " +
                std::to_string(attention.layers[layer]) + ", head " + std::to_string(attention.heads[head]) +
                "\n" +
                draw_attention_map(matrix_of_head(attention.weights[layer], static_cast<Index>(head)),
                                   attention.queries, attention.keys, style);
      }
    }
  }
  return text;
}

std::string attention_json(const std::vector<AttentionOfKind>& kinds) {
  std::string json = "[";
  for (const AttentionOfKind& attention : kinds) {
    if (json.size() > 1) json += ",\n";
    json += "{\"name\": " + to_json(attention.title) +
            ",\n\"left_text\": " + to_json_array(attention.queries) +
            ",\n\"right_text\": " + to_json_array(attention.keys) +
            ",\n\"layers\": " + to_json_array(attention.layers) +
            ", \"heads\": " + to_json_array(attention.heads) + ",\n\"attn\": [";
    for (std::size_t layer = 0; layer < attention.layers.size(); ++layer) {
      json += layer == 0 ? "[" : "],\n[";
      append_layer(json, attention.weights[layer]);
    }
    json += "]]}";
  }
  return json + "]\n";
}

}  // namespace plainformer
