#include "show/attention/attended_pair.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/number_text.h"
#include "core/special_symbols.h"
#include "decoding/given_translation.h"
#include "io/json.h"
#include "show/html_page.h"

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

std::string to_json_array(const std::vector<Index>& values) {
  return to_json(JsonArray(values.begin(), values.end()));
}

// These heads of [heads, query_len, key_len] as [head][from][to].
void append_layer(std::string& json, const Tensor& weights, const std::vector<Index>& heads) {
  for (const Index head : heads) {
    json += head == heads.front() ? "[" : ",\n[";
    for (Index query = 0; query < weights.dim(1); ++query) {
      json += query == 0 ? "[" : ",[";
      for (Index key = 0; key < weights.dim(2); ++key) {
        if (key > 0) json += ',';
        json += general_text(std::round(1000 * static_cast<double>(weights(head, query, key))) / 1000, 3);
      }
      json += ']';
    }
    json += ']';
  }
}

}  // namespace

std::vector<AttentionOfKind> attention_of_pair(const Transformer& model, const Sentence& source,
                                               const Sentence& target) {
  AttentionWeights weights = capture_attention(model, source.ids, target.ids);
  const Tokens sources = with_end(source.pieces), inputs = with_start(target.pieces);
  const Tokens outputs = with_end(target.pieces);
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
       .rows = "target as written",
       .columns = "target as read",
       .queries = outputs,
       .keys = inputs,
       .weights = std::move(weights.decoder_self)},
      {.name = kAttentionKinds[2],
       .title = "Encoder-decoder attention",
       .rows = "target as written",
       .columns = "source",
       .queries = outputs,
       .keys = sources,
       .weights = std::move(weights.encoder_decoder)},
  };
  for (AttentionOfKind& kind : kinds) {
    kind.layers = numbers_to(std::ssize(kind.weights));
    kind.heads = numbers_to(kind.weights.front().dim(0));
  }
  return kinds;
}

Index weights_to_show(const std::vector<AttentionOfKind>& kinds) {
  Index count = 0;
  for (const AttentionOfKind& attention : kinds)
    for (const Index layer : attention.layers)
      count +=
          attention.weights[layer].size() / attention.weights[layer].dim(0) * std::ssize(attention.heads);
  return count;
}

std::string attention_text(const std::vector<AttentionOfKind>& kinds, AttentionMapStyle style) {
  std::string text;
  for (const AttentionOfKind& attention : kinds) {
    style.rows = attention.rows;
    style.columns = attention.columns;
    for (const Index layer : attention.layers) {
      for (const Index head : attention.heads) {
        style.legend = layer == attention.layers.back() && head == attention.heads.back();
        text += (text.empty() ? "" : "\n") + attention.title + ", layer " + std::to_string(layer) +
                ", head " + std::to_string(head) + "\n" +
                draw_attention_map(matrix_of_head(attention.weights[layer], head), attention.queries,
                                   attention.keys, style);
      }
    }
  }
  return text;
}

std::string attention_json(const std::vector<AttentionOfKind>& kinds) {
  std::string json = "[";
  for (const AttentionOfKind& attention : kinds) {
    if (json.size() > 1) json += ",\n";
    json += "{\"name\": " + to_json(attention.title) + ", \"rows\": " + to_json(attention.rows) +
            ", \"columns\": " + to_json(attention.columns) +
            ",\n\"left_text\": " + to_json(printable_texts(attention.queries)) +
            ",\n\"right_text\": " + to_json(printable_texts(attention.keys)) +
            ",\n\"layers\": " + to_json_array(attention.layers) +
            ", \"heads\": " + to_json_array(attention.heads) + ",\n\"attn\": [";
    for (const Index layer : attention.layers) {
      json += layer == attention.layers.front() ? "[" : "],\n[";
      append_layer(json, attention.weights[layer], attention.heads);
    }
    json += "]]}";
  }
  return json + "]\n";
}

}  // namespace plainformer
