#include "show/attention/attended_pair.h"

#include <algorithm>

#include "core/check.h"
#include "core/special_symbols.h"
#include "decoding/attention_capture.h"

namespace plainformer {

namespace {

using Tokens = std::vector<std::string>;

Tokens with_start(Tokens tokens) {
  tokens.insert(tokens.begin(), kSpecialSpellings[kStartId]);
  return tokens;
}

std::vector<Index> numbers_to(Index count) {
  std::vector<Index> numbers;
  for (Index i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

AttentionOfKind of_kind(AttentionKind kind, Tokens queries, Tokens keys, std::vector<Tensor> weights) {
  AttentionOfKind attention = {.kind = kind, .queries = std::move(queries), .keys = std::move(keys)};
  attention.layers = numbers_to(std::ssize(weights));
  attention.heads = numbers_to(weights.front().dim(0));
  attention.weights = std::move(weights);
  return attention;
}

// The rows of these heads, which are numbers of rows of `from`.
Tensor select_heads(const Tensor& from, const std::vector<Index>& heads) {
  const Index query_len = from.dim(1), key_len = from.dim(2), matrix = query_len * key_len;
  Tensor selected({std::ssize(heads), query_len, key_len});
  Real* to = selected.mutable_data();
  for (const Index head : heads) to = std::copy_n(from.data() + head * matrix, matrix, to);
  return selected;
}

std::size_t place_of(Index number, const std::vector<Index>& numbers) {
  const auto found = std::find(numbers.begin(), numbers.end(), number);
  CHECK(found != numbers.end(), "number ", number, " is not here");
  return static_cast<std::size_t>(found - numbers.begin());
}

}  // namespace

std::string option_name(AttentionKind kind) {
  if (kind == AttentionKind::kEncoderSelf) return "encoder-self";
  return kind == AttentionKind::kDecoderSelf ? "decoder-self" : "encoder-decoder";
}

std::string title_of(AttentionKind kind) {
  if (kind == AttentionKind::kEncoderSelf) return "Encoder self-attention";
  return kind == AttentionKind::kDecoderSelf ? "Decoder self-attention" : "Encoder-decoder attention";
}

std::vector<AttentionOfKind> attention_of_pair(const Transformer& model, const Sentence& source,
                                               const Sentence& target, DecoderRows rows) {
  AttentionWeights weights = capture_attention(model, source.ids, target.ids);
  const bool of_output = rows == DecoderRows::kOutput;
  const Tokens sources = with_end(source.pieces), inputs = with_start(target.pieces);
  const Tokens queries = of_output ? with_end(target.pieces) : inputs;
  std::vector<AttentionOfKind> kinds = {
      of_kind(AttentionKind::kEncoderSelf, sources, sources, std::move(weights.encoder_self)),
      of_kind(AttentionKind::kDecoderSelf, queries, inputs, std::move(weights.decoder_self)),
      of_kind(AttentionKind::kEncoderDecoder, queries, sources, std::move(weights.encoder_decoder))};
  kinds[1].first_key_word = 1;
  kinds[1].first_query_word = kinds[2].first_query_word = of_output ? 0 : 1;
  return kinds;
}

AttentionOfKind select(const AttentionOfKind& attention, const std::vector<Index>& layers,
                       const std::vector<Index>& heads) {
  AttentionOfKind part = attention;
  if (!heads.empty()) part.heads = heads;
  if (!layers.empty()) part.layers = layers;
  std::vector<Index> places;
  for (const Index head : part.heads) places.push_back(static_cast<Index>(place_of(head, attention.heads)));
  part.weights.clear();
  for (const Index layer : part.layers)
    part.weights.push_back(select_heads(attention.weights[place_of(layer, attention.layers)], places));
  return part;
}

}  // namespace plainformer
