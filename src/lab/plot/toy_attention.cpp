#include "lab/plot/toy_attention.h"

#include "lab/plot/recorded_json.h"

namespace plainformer {

namespace {

const JsonValue& kind_named(const RecordedJson& file, const JsonValue& kinds, const std::string& name) {
  for (const JsonValue& kind : file.array(kinds, "the file"))
    if (file.text(file.member(kind, "name"), "name") == name) return kind;
  file.require(false, "has no " + name);
  return kinds;
}

// The weights of the last layer.    [heads, query_len, key_len]
Tensor last_layer(const RecordedJson& file, const JsonValue& kind, Index query_len, Index key_len) {
  const JsonArray& layers = file.array(file.member(kind, "attn"), "attn");
  file.require(!layers.empty(), "attn has no layer");
  const JsonArray& heads = file.array(layers.back(), "a layer");
  file.require(!heads.empty(), "a layer has no head");
  Tensor weights({std::ssize(heads), query_len, key_len});
  Real* weight = weights.mutable_data();
  for (const JsonValue& head : heads) {
    const JsonArray& rows = file.array(head, "a head");
    file.require(std::ssize(rows) == query_len, "a head has not one row for each token of left_text");
    for (const JsonValue& row : rows) {
      const std::vector<double> of_query = file.numbers(row, "a row");
      file.require(std::ssize(of_query) == key_len, "a row has not one weight for each token of right_text");
      for (const double each : of_query) *weight++ = static_cast<Real>(each);
    }
  }
  return weights;
}

}  // namespace

ToyAttention read_toy_attention(const std::string& path) {
  const RecordedJson file(path);
  const JsonValue& self = kind_named(file, file.root(), "Encoder self-attention");
  const JsonValue& cross = kind_named(file, file.root(), "Encoder-decoder attention");
  ToyAttention attention;
  attention.source = file.texts(file.member(cross, "right_text"), "right_text");
  attention.target = file.texts(file.member(cross, "left_text"), "left_text");
  const Index source_len = std::ssize(attention.source), target_len = std::ssize(attention.target);
  file.require(source_len > 0 && target_len > 0, "has a sentence without tokens");
  attention.encoder = last_layer(file, self, source_len, source_len);
  attention.encoder_decoder = last_layer(file, cross, target_len, source_len);
  return attention;
}

}  // namespace plainformer
