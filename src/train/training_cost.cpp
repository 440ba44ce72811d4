#include "train/training_cost.h"

#include <algorithm>

#include "ops/fast/fast.h"
#include "ops/fast/scaled_dot_product_attention.h"

namespace plainformer {

namespace {

struct Products {
  double forward = 0, backward = 0;
};

Products operator+(const Products& a, const Products& b) {
  return {a.forward + b.forward, a.backward + b.backward};
}

// y = x W for `rows` rows. Backward makes two such products: grad_W += x^T grad_y, and grad_x = grad_y W^T.
Products linear(double rows, double in, double out) {
  const double products = rows * in * out;
  return {.forward = products, .backward = 2 * products};
}

// --- equation (1)

// The number of pairs of a query and a key that are multiplied, in each head of all sentences together.
double pairs(const std::vector<Index>& key_lengths, Index query_len, bool causal,
             const TrainingMethod& method) {
  double sum = 0;
  for (const Index key_len : key_lengths)
    for (Index first = 0; first < query_len; first += method.queries_of_tile) {
      const Index last = std::min(first + method.queries_of_tile, query_len);
      sum += as_double(last - first) * as_double(causal ? std::min(key_len, last) : key_len);
    }
  return sum;
}

struct AttentionShape {
  const std::vector<Index>& key_lengths;
  Index query_len, key_len;
  bool causal;
};

// Backward makes two products for each of forward's two. The fast way computes the scores once more.
Products attention(const ModelConfig& config, const AttentionShape& shape, const TrainingMethod& method) {
  const double d_k = key_width(config), d_v = value_width(config);  // of all heads
  if (method.attention == Way::kPlain) {
    const double squares =
        as_double(std::ssize(shape.key_lengths)) * as_double(shape.query_len) * as_double(shape.key_len);
    return {.forward = squares * (d_k + d_v), .backward = 2 * squares * (d_k + d_v)};
  }
  const double made = pairs(shape.key_lengths, shape.query_len, shape.causal, method);
  return {.forward = made * (d_k + d_v), .backward = made * (3 * d_k + 2 * d_v)};
}

// --- the parts

// W^Q and W^O for the queries, W^K and W^V for the keys.
Products projections(const ModelConfig& config, double queries, double keys) {
  const double d = as_double(config.d_model), d_k = key_width(config), d_v = value_width(config);
  return linear(queries, d, d_k) + linear(keys, d, d_k) + linear(keys, d, d_v) + linear(queries, d_v, d);
}

Products feed_forward(const ModelConfig& config, double rows) {
  const double d = as_double(config.d_model), d_ff = as_double(config.d_ff);
  return linear(rows, d, d_ff) + linear(rows, d_ff, d);
}

Index longest(const std::vector<Index>& lengths) {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

}  // namespace

BatchShape BatchShape::of(const TranslationBatch& batch) {
  return {.source_lengths = batch.source.lengths, .target_lengths = batch.target_input.lengths};
}

BatchShape BatchShape::equal_lengths(Index sentences, Index source_len, Index target_len) {
  return {.source_lengths = std::vector<Index>(sentences, source_len),
          .target_lengths = std::vector<Index>(sentences, target_len)};
}

Index BatchShape::source_len() const {
  return longest(source_lengths);
}

Index BatchShape::target_len() const {
  return longest(target_lengths);
}

TrainingMethod TrainingMethod::in_use(Index vocab, bool recompute) {
  return {.attention = ways.attention,
          .queries_of_tile = fast::queries_of_tile(),
          .cross_entropy = ways.cross_entropy,
          .rows_of_logits = fast::rows_of_logits_block(vocab),
          .recompute = recompute};
}

PartCost total(const TrainingCost& cost) {
  PartCost sum = {.name = "total"};
  for (const PartCost& part : cost) {
    sum.parameters += part.parameters;
    sum.forward += part.forward;
    sum.backward += part.backward;
  }
  return sum;
}

TrainingCost training_cost(const ModelConfig& config, const BatchShape& batch, const TrainingMethod& method) {
  const double source = batch.source_positions(), target = batch.target_positions();
  const double encoders = as_double(config.encoder_layers), decoders = as_double(config.decoder_layers);
  const Index source_len = batch.source_len(), target_len = batch.target_len();
  const AttentionShape encoder_self = {batch.source_lengths, source_len, source_len, /*causal=*/false},
                       decoder_self = {batch.target_lengths, target_len, target_len, /*causal=*/true},
                       encoder_decoder = {batch.source_lengths, target_len, source_len, /*causal=*/false};
  const double d = as_double(config.d_model), d_ff = as_double(config.d_ff);
  const double rows_of_embedding =
      as_double(config.vocab + (config.learns_positions() ? config.max_length : 0));
  const double w_q_to_w_o = 2 * d * (key_width(config) + value_width(config)), norm = 2 * d;
  const double w_1_to_b_2 = 2 * d * d_ff + d_ff + d;
  const auto part = [&](const char* name, double layers, double parameters, Products products) {
    if (method.recompute) products.backward += products.forward;
    return PartCost{name, layers * parameters, layers * products.forward, layers * products.backward};
  };
  // The output projection is outside of the layers, so it is never computed again. Its table is the
  // embedding.
  const Products logits = linear(target, d, as_double(config.vocab));
  return {
      part("embedding, positions", 1, rows_of_embedding * d, {}),
      part("encoder self-attention: projections", encoders, w_q_to_w_o, projections(config, source, source)),
      part("encoder self-attention: scores, averages", encoders, 0, attention(config, encoder_self, method)),
      part("encoder feed-forward", encoders, w_1_to_b_2, feed_forward(config, source)),
      part("encoder norms", encoders, 2 * norm, {}),
      part("decoder self-attention: projections", decoders, w_q_to_w_o, projections(config, target, target)),
      part("decoder self-attention: scores, averages", decoders, 0, attention(config, decoder_self, method)),
      part("encoder-decoder attention: projections", decoders, w_q_to_w_o,
           projections(config, target, source)),
      part("encoder-decoder attention: scores, averages", decoders, 0,
           attention(config, encoder_decoder, method)),
      part("decoder feed-forward", decoders, w_1_to_b_2, feed_forward(config, target)),
      part("decoder norms", decoders, 3 * norm, {}),
      {"output projection", 0, logits.forward, logits.backward},
  };
}

double training_operations(const ModelConfig& config, const BatchShape& batch) {
  return 2 * total(training_cost(config, batch, TrainingMethod::of_equations())).multiply_adds();
}

}  // namespace plainformer
