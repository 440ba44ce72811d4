#include "show/cost/training_cost.h"

#include <algorithm>

#include "core/real.h"
#include "ops/fast/fast.h"
#include "ops/fast/scaled_dot_product_attention.h"

namespace plainformer {

namespace {

// --- sums of elements that operations read and write, in the order of the forward pass

struct Pass {
  std::int64_t products = 0, elements = 0;
};

Pass operator+(const Pass& a, const Pass& b) {
  return {a.products + b.products, a.elements + b.elements};
}
Pass operator*(std::int64_t count, const Pass& pass) {
  return {count * pass.products, count * pass.elements};
}

struct Passes {
  Pass forward, backward;
};

Passes operator+(const Passes& a, const Passes& b) {
  return {a.forward + b.forward, a.backward + b.backward};
}
Passes operator*(std::int64_t count, const Passes& passes) {
  return {count * passes.forward, count * passes.backward};
}

// y = x W for `rows` rows. Backward: grad_W += x^T grad_y reads and writes grad_W; grad_x = grad_y W^T.
Passes linear(std::int64_t rows, std::int64_t in, std::int64_t out) {
  const std::int64_t weights = in * out, ends = rows * (in + out);
  return {{rows * weights, ends + weights}, {2 * rows * weights, 2 * ends + 3 * weights}};
}

// y = x W + b. Backward sums the gradient of b over the rows.
Passes linear_bias(std::int64_t rows, std::int64_t in, std::int64_t out) {
  return linear(rows, in, out) + Passes{{0, out}, {0, rows * out + 2 * out}};
}

// max(0, x) in place; backward also reads the result.
Passes relu(std::int64_t elements) {
  return {{0, 2 * elements}, {0, 3 * elements}};
}

Passes dropout(std::int64_t elements) {
  return {{0, 2 * elements}, {0, 2 * elements}};
}

// LayerNorm(x + Dropout(sublayer)). Backward of layer norm reads gradient and input twice: for the gradients
// of gain and bias, and for that of its input.
Passes residual_norm(std::int64_t elements) {
  const Passes addition = {{0, 3 * elements}, {}}, norm = {{0, 2 * elements}, {0, 5 * elements}};
  return dropout(elements) + addition + norm;
}

// The sum of two gradients where a tensor was used twice.
Passes gradients_added(std::int64_t elements) {
  return {{}, {0, 3 * elements}};
}

// --- equation (1)

// The number of pairs of a query and a key that are multiplied, in each head of all sentences together.
std::int64_t pairs(const std::vector<Index>& key_lengths, Index query_len, bool causal,
                   const TrainingMethod& method) {
  std::int64_t sum = 0;
  for (const Index key_len : key_lengths)
    for (Index first = 0; first < query_len; first += method.queries_of_tile) {
      const Index last = std::min(first + method.queries_of_tile, query_len);
      sum += std::int64_t{last - first} * (causal ? std::min(key_len, last) : key_len);
    }
  return sum;
}

struct AttentionShape {
  const std::vector<Index>& key_lengths;
  Index query_len, key_len;
  bool causal;
};

// Backward makes two products for each of forward's two. The fast way computes the scores once more.
Passes attention(const ModelConfig& config, const AttentionShape& shape, const TrainingMethod& method) {
  const std::int64_t d_k = key_width(config), d_v = value_width(config);  // of all heads
  const std::int64_t batch = std::ssize(shape.key_lengths);
  const std::int64_t queries = batch * shape.query_len, keys = batch * shape.key_len;
  const std::int64_t inputs = queries * d_k + keys * (d_k + d_v), output = queries * d_v;
  const std::int64_t log_sums = queries * config.heads, weights = log_sums * shape.key_len;
  if (method.attention == Way::kPlain) {
    // The matrix of scores is multiplied, scaled, masked and normalized, one operation after the other.
    const std::int64_t products = queries * shape.key_len * (d_k + d_v);
    return {{products, inputs + output + 6 * weights}, {2 * products, 2 * inputs + 2 * output + 9 * weights}};
  }
  const std::int64_t made = pairs(shape.key_lengths, shape.query_len, shape.causal, method);
  return {{made * (d_k + d_v), inputs + output + log_sums},
          {made * (3 * d_k + 2 * d_v), 2 * inputs + 2 * output + log_sums}};
}

// --- the parts

// W^Q and W^O for the queries, W^K and W^V for the keys. Where query, key and value have one source, backward
// adds their gradients up.
Passes projections(const ModelConfig& config, std::int64_t queries, std::int64_t keys) {
  const std::int64_t d = config.d_model, d_k = key_width(config), d_v = value_width(config);
  return linear(queries, d, d_k) + linear(keys, d, d_k) + linear(keys, d, d_v) + linear(queries, d_v, d);
}

Passes feed_forward(const ModelConfig& config, std::int64_t rows) {
  return linear_bias(rows, config.d_model, config.d_ff) + relu(rows * config.d_ff) +
         linear_bias(rows, config.d_ff, config.d_model) + gradients_added(rows * config.d_model);
}

// Look up, scale, add the positions' vectors, drop. Backward adds each row to the table's gradient.
Passes embedding(const ModelConfig& config, std::int64_t positions, Index len) {
  const std::int64_t elements = positions * config.d_model, vectors = std::int64_t{len} * config.d_model;
  const Passes positions_added = {{0, 2 * elements + vectors},
                                  {0, config.learns_positions() ? elements + 2 * vectors : 0}};
  return dropout(elements) + Passes{{0, 4 * elements}, {0, 5 * elements}} + positions_added;
}

// The loss and its gradient are one pass over the logits; the plain way makes two more of each.
Passes output_projection(const ModelConfig& config, std::int64_t positions, const TrainingMethod& method) {
  const std::int64_t logits = positions * config.vocab;
  const std::int64_t loss = method.cross_entropy == Way::kPlain ? 6 * logits : 2 * logits;
  return linear(positions, config.d_model, config.vocab) + Passes{{}, {0, loss}};
}

Index longest(const std::vector<Index>& lengths) {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

PartCost cost_of(const Passes& passes, std::int64_t parameters, bool repeat_forward) {
  const Pass backward = repeat_forward ? passes.backward + passes.forward : passes.backward;
  return {.parameters = parameters,
          .forward = passes.forward.products,
          .backward = backward.products,
          .bytes = static_cast<std::int64_t>(sizeof(Real)) * (passes.forward.elements + backward.elements)};
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
          .queries_of_tile = fast::queries_of_attention_tile(),
          .cross_entropy = ways.cross_entropy,
          .rows_of_logits = fast::rows_of_logits_block(vocab),
          .recompute = recompute};
}

PartCost operator+(const PartCost& a, const PartCost& b) {
  return {a.parameters + b.parameters, a.forward + b.forward, a.backward + b.backward, a.bytes + b.bytes};
}

std::string name_of(Part part) {
  constexpr const char* kNames[kParts] = {
      "embedding, positions",
      "encoder self-attention: projections",
      "encoder self-attention: scores, averages",
      "encoder feed-forward",
      "encoder residuals, norms",
      "decoder self-attention: projections",
      "decoder self-attention: scores, averages",
      "encoder-decoder attention: projections",
      "encoder-decoder attention: scores, averages",
      "decoder feed-forward",
      "decoder residuals, norms",
      "output projection, loss",
      "gradient norm, Adam",
  };
  return kNames[static_cast<std::size_t>(part)];
}

PartCost TrainingCost::total() const {
  PartCost sum;
  for (const PartCost& part : parts) sum = sum + part;
  return sum;
}

TrainingCost training_cost(const ModelConfig& config, const BatchShape& batch, const TrainingMethod& method) {
  const std::int64_t source = batch.source_positions(), target = batch.target_positions(), d = config.d_model;
  const std::int64_t encoders = config.encoder_layers, decoders = config.decoder_layers;
  const Index source_len = batch.source_len(), target_len = batch.target_len();
  TrainingCost cost = parameter_cost(config);
  const auto add = [&](Part part, std::int64_t layers, const Passes& passes) {
    const bool in_a_layer = part != Part::kEmbedding && part != Part::kOutputProjection;
    cost[part] = cost[part] + cost_of(layers * passes, 0, method.recompute && in_a_layer);
  };

  add(Part::kEmbedding, 1, embedding(config, source, source_len) + embedding(config, target, target_len));

  const AttentionShape encoder_self = {batch.source_lengths, source_len, source_len, /*causal=*/false};
  add(Part::kEncoderProjections, encoders,
      projections(config, source, source) + 3 * gradients_added(source * d));
  add(Part::kEncoderAttention, encoders, attention(config, encoder_self, method));
  add(Part::kEncoderFeedForward, encoders, feed_forward(config, source));
  add(Part::kEncoderNorms, encoders, 2 * residual_norm(source * d));

  const AttentionShape decoder_self = {batch.target_lengths, target_len, target_len, /*causal=*/true};
  add(Part::kDecoderProjections, decoders,
      projections(config, target, target) + 3 * gradients_added(target * d));
  add(Part::kDecoderAttention, decoders, attention(config, decoder_self, method));

  // The memory's gradient gathers from key and value, and from all layers.
  const AttentionShape encoder_decoder = {batch.source_lengths, target_len, source_len, /*causal=*/false};
  add(Part::kEncoderDecoderProjections, decoders,
      projections(config, target, source) + gradients_added(target * d) + gradients_added(source * d));
  add(Part::kEncoderDecoderProjections, decoders - 1, gradients_added(source * d));
  add(Part::kEncoderDecoderAttention, decoders, attention(config, encoder_decoder, method));
  add(Part::kDecoderFeedForward, decoders, feed_forward(config, target));
  add(Part::kDecoderNorms, decoders, 3 * residual_norm(target * d));

  add(Part::kOutputProjection, 1, output_projection(config, target, method));

  // Zeroing writes the gradients, their norm reads them. Adam reads gradient, weight and two moments, and
  // writes the last three.
  cost[Part::kOptimizer].bytes = static_cast<std::int64_t>(sizeof(Real)) * 9 * cost.total().parameters;
  return cost;
}

TrainingCost parameter_cost(const ModelConfig& config) {
  const std::int64_t d = config.d_model, d_ff = config.d_ff;
  const std::int64_t encoders = config.encoder_layers, decoders = config.decoder_layers;
  const std::int64_t attention = 2 * d * (key_width(config) + value_width(config));  // W^Q, W^K, W^V, W^O
  const std::int64_t feed_forward = 2 * d * d_ff + d_ff + d, norm = 2 * d;
  TrainingCost cost;
  cost[Part::kEmbedding].parameters =
      (config.vocab + (config.learns_positions() ? config.max_length : 0)) * d;
  cost[Part::kEncoderProjections].parameters = encoders * attention;
  cost[Part::kEncoderFeedForward].parameters = encoders * feed_forward;
  cost[Part::kEncoderNorms].parameters = encoders * 2 * norm;
  cost[Part::kDecoderProjections].parameters = decoders * attention;
  cost[Part::kEncoderDecoderProjections].parameters = decoders * attention;
  cost[Part::kDecoderFeedForward].parameters = decoders * feed_forward;
  cost[Part::kDecoderNorms].parameters = decoders * 3 * norm;
  return cost;
}

double training_operations(const ModelConfig& config, const BatchShape& batch) {
  return 2 * static_cast<double>(
                 training_cost(config, batch, TrainingMethod::of_equations()).total().multiply_adds());
}

}  // namespace plainformer
