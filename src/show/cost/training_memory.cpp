#include <algorithm>

#include "core/real.h"
#include "core/storage.h"
#include "show/cost/training_cost.h"

namespace plainformer {

namespace {

// Sizes in elements. The widths of one position, and the positions of a batch.
struct Extents {
  std::int64_t d_model, d_ff, heads, key_width, value_width;
  std::int64_t source, target;          // positions, with the padding
  std::int64_t source_len, target_len;  // the lengths of one sentence
};

// One attention keeps q, k, v of all heads, the heads' outputs, and the weights (plain) or the logarithms
// of their sums (fast). The inputs are tensors that others keep.
std::int64_t kept_by_attention(const Extents& n, std::int64_t queries, std::int64_t keys,
                               std::int64_t key_len, const TrainingMethod& method) {
  const std::int64_t weights_of_query = method.attention == Way::kPlain ? key_len : 1;
  return queries * (n.key_width + n.value_width + n.heads * weights_of_query) +
         keys * (n.key_width + n.value_width);
}

// LayerNorm(x + Dropout(sublayer)) keeps the sum, and its mean and deviation.
std::int64_t kept_by_norm(const Extents& n, std::int64_t rows) {
  return rows * (n.d_model + 2);
}

// An encoder layer keeps, besides its input, y, which the feed-forward network reads, and its hidden layer.
std::int64_t kept_by_encoder_layer(const Extents& n, const TrainingMethod& method) {
  return kept_by_attention(n, n.source, n.source, n.source_len, method) + 2 * kept_by_norm(n, n.source) +
         n.source * (n.d_model + n.d_ff);
}

// A decoder layer keeps, besides its input, y and z, and the hidden layer.
std::int64_t kept_by_decoder_layer(const Extents& n, const TrainingMethod& method) {
  return kept_by_attention(n, n.target, n.target, n.target_len, method) +
         kept_by_attention(n, n.target, n.source, n.source_len, method) + 3 * kept_by_norm(n, n.target) +
         n.target * (2 * n.d_model + n.d_ff);
}

// The gradients that exist at the fullest moment of an attention's backward pass, beside those of its caller:
// of the concatenated heads, of q, k, v, and of the three inputs. The plain way splits the
// heads and concatenates them again, and each is a copy.
std::int64_t gradients_of_self_attention(const Extents& n, std::int64_t rows, std::int64_t len,
                                         const TrainingMethod& method) {
  const std::int64_t projected = rows * (2 * n.key_width + n.value_width);
  const std::int64_t after = rows * n.value_width + projected + 3 * rows * n.d_model;
  if (method.attention == Way::kFast) return after;
  const std::int64_t of_scores = 2 * rows * n.heads * len;  // of the weights and of the scores
  const std::int64_t within = 2 * rows * n.value_width + projected + std::max(of_scores, projected);
  return std::max(after, within);
}

// The decoder's backward pass, in one of its layers: its own gradients, those of the stack, and the memory's.
std::int64_t gradients_in_decoder(const Extents& n, const TrainingMethod& method, bool several_layers) {
  const std::int64_t x = n.target * n.d_model, memory = n.source * n.d_model;
  const std::int64_t of_stack = several_layers ? 2 * x + memory : x;  // of decoder_output, x, and the memory
  const std::int64_t in_feed_forward = 2 * x + n.target * n.d_ff + x;
  const std::int64_t in_self_attention =
      7 * x + 2 * memory + gradients_of_self_attention(n, n.target, n.target_len, method);
  return of_stack + std::max(in_feed_forward, in_self_attention);
}

// The encoder's backward pass, while the gradients of the decoder's output and of the memory still exist.
std::int64_t gradients_in_encoder(const Extents& n, const TrainingMethod& method, bool several_layers) {
  const std::int64_t x = n.source * n.d_model;
  const std::int64_t of_stack = n.target * n.d_model + (several_layers ? 2 * x : x);
  const std::int64_t in_feed_forward = 2 * x + n.source * n.d_ff + x;
  const std::int64_t in_self_attention =
      4 * x + gradients_of_self_attention(n, n.source, n.source_len, method);
  return of_stack + std::max(in_feed_forward, in_self_attention);
}

}  // namespace

std::int64_t TrainingMemory::tensors_at_peak() const {
  return weights + gradients + moments + positions + activations +
         std::max(loss, layer_again + gradients_between);
}

TrainingMemory training_memory(const ModelConfig& config, const BatchShape& batch,
                               const TrainingMethod& method, int threads) {
  const Extents n = {.d_model = config.d_model,
                     .d_ff = config.d_ff,
                     .heads = config.heads,
                     .key_width = key_width(config),
                     .value_width = value_width(config),
                     .source = batch.source_positions(),
                     .target = batch.target_positions(),
                     .source_len = batch.source_len(),
                     .target_len = batch.target_len()};
  const std::int64_t encoder_layer = kept_by_encoder_layer(n, method);
  const std::int64_t decoder_layer = kept_by_decoder_layer(n, method);
  const std::int64_t encoders = config.encoder_layers, decoders = config.decoder_layers;

  // Each layer's input, the memory, and the decoder's output.
  const std::int64_t inputs = n.d_model * ((encoders + 1) * n.source + (decoders + 1) * n.target);
  const bool plain_loss = method.cross_entropy == Way::kPlain;
  const std::int64_t logits =
      plain_loss ? 2 * n.target : std::min<std::int64_t>(n.target, method.rows_of_logits);

  constexpr std::int64_t kBytes = sizeof(Real);
  const std::int64_t weights = kBytes * total(training_cost(config, {}, method)).parameters;
  TrainingMemory memory = {.weights = weights, .gradients = weights, .moments = 2 * weights};
  memory.positions = config.learns_positions() ? 0 : kBytes * config.max_length * config.d_model;
  memory.activations =
      kBytes * (inputs + (method.recompute ? 0 : encoders * encoder_layer + decoders * decoder_layer));
  memory.loss = kBytes * (logits * config.vocab + n.target * n.d_model);
  memory.layer_again = method.recompute ? kBytes * std::max(encoder_layer, decoder_layer) : 0;
  memory.gradients_between = kBytes * std::max(gradients_in_decoder(n, method, decoders > 1),
                                               gradients_in_encoder(n, method, encoders > 1));
  memory.scratch = kBytes * kScratchOfThread * threads;
  return memory;
}

}  // namespace plainformer
