#include <algorithm>
#include <cmath>

#include "core/input_error.h"
#include "core/number_text.h"
#include "core/real.h"
#include "core/storage.h"
#include "train/training_cost.h"

namespace plainformer {

namespace {

// Sizes in elements. The widths of one position, and the positions of a batch.
struct Extents {
  double d_model, d_ff, heads, key_width, value_width;
  double source, target;          // positions, with the padding
  double source_len, target_len;  // the lengths of one sentence
};

// One attention keeps q, k, v of all heads, the heads' outputs, and the weights (plain) or the logarithms
// of their sums (fast). The inputs are tensors that others keep.
double kept_by_attention(const Extents& n, double queries, double keys, double key_len,
                         const TrainingMethod& method) {
  const double weights_of_query = method.attention == Way::kPlain ? key_len : 1;
  return queries * (n.key_width + n.value_width + n.heads * weights_of_query) +
         keys * (n.key_width + n.value_width);
}

// LayerNorm(x + Dropout(sublayer)) keeps the sum, and its mean and deviation.
double kept_by_norm(const Extents& n, double rows) {
  return rows * (n.d_model + 2);
}

// An encoder layer keeps, in addition to its input, y, which the feed-forward network reads, and its hidden
// layer.
double kept_by_encoder_layer(const Extents& n, const TrainingMethod& method) {
  return kept_by_attention(n, n.source, n.source, n.source_len, method) + 2 * kept_by_norm(n, n.source) +
         n.source * (n.d_model + n.d_ff);
}

// A decoder layer keeps, in addition to its input, y, z and the hidden layer.
double kept_by_decoder_layer(const Extents& n, const TrainingMethod& method) {
  return kept_by_attention(n, n.target, n.target, n.target_len, method) +
         kept_by_attention(n, n.target, n.source, n.source_len, method) + 3 * kept_by_norm(n, n.target) +
         n.target * (2 * n.d_model + n.d_ff);
}

// The gradients at the fullest moment of an attention's backward pass, without its caller's: the gradients of
// the concatenated heads, of q, k, v, and of the three inputs. The plain way splits the heads and
// concatenates them again, and each is a copy.
double gradients_of_self_attention(const Extents& n, double rows, double len, const TrainingMethod& method) {
  const double projected = rows * (2 * n.key_width + n.value_width);
  const double after = rows * n.value_width + projected + 3 * rows * n.d_model;
  if (method.attention == Way::kFast) return after;
  const double of_scores = 2 * rows * n.heads * len;  // of the weights and of the scores
  const double within = 2 * rows * n.value_width + projected + std::max(of_scores, projected);
  return std::max(after, within);
}

// The gradients of the decoder's backward pass, in one of its layers: of the layer, the stack and the memory.
double gradients_in_decoder(const Extents& n, const TrainingMethod& method, bool several_layers) {
  const double x = n.target * n.d_model, memory = n.source * n.d_model;
  const double of_stack = several_layers ? 2 * x + memory : x;  // of decoder_output, x, and the memory
  const double in_feed_forward = 2 * x + n.target * n.d_ff + x;
  const double in_self_attention =
      7 * x + 2 * memory + gradients_of_self_attention(n, n.target, n.target_len, method);
  return of_stack + std::max(in_feed_forward, in_self_attention);
}

// The encoder's backward pass, while the gradients of the decoder's output and of the memory still exist.
double gradients_in_encoder(const Extents& n, const TrainingMethod& method, bool several_layers) {
  const double x = n.source * n.d_model;
  const double of_stack = n.target * n.d_model + (several_layers ? 2 * x : x);
  const double in_feed_forward = 2 * x + n.source * n.d_ff + x;
  const double in_self_attention = 4 * x + gradients_of_self_attention(n, n.source, n.source_len, method);
  return of_stack + std::max(in_feed_forward, in_self_attention);
}

}  // namespace

double TrainingMemory::tensors_at_peak() const {
  return weights + gradients + moments + positions + activations +
         std::max(loss, layer_again + gradients_between);
}

TrainingMemory training_memory(const ModelConfig& config, const BatchShape& batch,
                               const TrainingMethod& method, int threads) {
  const Extents n = {.d_model = as_double(config.d_model),
                     .d_ff = as_double(config.d_ff),
                     .heads = as_double(config.heads),
                     .key_width = key_width(config),
                     .value_width = value_width(config),
                     .source = batch.source_positions(),
                     .target = batch.target_positions(),
                     .source_len = as_double(batch.source_len()),
                     .target_len = as_double(batch.target_len())};
  const double encoder_layer = kept_by_encoder_layer(n, method);
  const double decoder_layer = kept_by_decoder_layer(n, method);
  const double encoders = as_double(config.encoder_layers), decoders = as_double(config.decoder_layers);

  // Each layer's input, the memory, and the decoder's output.
  const double inputs = n.d_model * ((encoders + 1) * n.source + (decoders + 1) * n.target);
  const bool plain_loss = method.cross_entropy == Way::kPlain;
  const double logits = plain_loss ? 2 * n.target : std::min(n.target, as_double(method.rows_of_logits));

  constexpr double kBytes = sizeof(Real);
  const double weights = kBytes * total(training_cost(config, {}, method)).parameters;
  TrainingMemory memory = {.weights = weights, .gradients = weights, .moments = 2 * weights};
  memory.positions = config.learns_positions() ? 0 : kBytes * as_double(config.max_length) * n.d_model;
  memory.activations =
      kBytes * (inputs + (method.recompute ? 0 : encoders * encoder_layer + decoders * decoder_layer));
  memory.loss = kBytes * (logits * as_double(config.vocab) + n.target * n.d_model);
  memory.layer_again = method.recompute ? kBytes * std::max(encoder_layer, decoder_layer) : 0;
  memory.gradients_between = kBytes * std::max(gradients_in_decoder(n, method, decoders > 1),
                                               gradients_in_encoder(n, method, encoders > 1));
  memory.scratch = kBytes * as_double(kScratchOfThread) * threads;
  return memory;
}

// ---- a run

namespace {

// A full batch of sentences that are as long as the longest of the text, or the whole text if it is shorter;
// twice with R-Drop. No batch before the text is read.
BatchShape full_batch(const Settings& settings, const std::vector<SentencePair>& train) {
  Index source = 0, target = 0, longest = 1;
  for (const SentencePair& pair : train) {
    const Index source_len = std::ssize(pair.source) + 1, target_len = std::ssize(pair.target) + 1;
    source += source_len;
    target += target_len;
    longest = std::max({longest, source_len, target_len});
  }
  const Index positions = std::min(std::max(source, target), settings.batch_tokens);
  const Index sentences = (positions + longest - 1) / longest * (settings.r_drop > 0 ? 2 : 1);
  return BatchShape::equal_lengths(sentences, longest, longest);
}

// "213 MB", "25.2 GB".
std::string bytes_text(double bytes) {
  return bytes < 1e9 ? fixed_text(bytes / 1e6, 0) + " MB" : fixed_text(bytes / 1e9, 1) + " GB";
}

}  // namespace

TrainingMemory estimate_memory(const Settings& settings, const ModelConfig& model,
                               const std::vector<SentencePair>& train) {
  return training_memory(model, full_batch(settings, train),
                         TrainingMethod::in_use(model.vocab, settings.recompute), /*threads=*/0);
}

void require_memory(const Settings& settings, const TrainingMemory& needed, double usable) {
  const std::string but = ", but this program may use " + bytes_text(usable) + " of memory here";
  if (needed.of_model() > usable)
    throw input_error("the model",
                      "its weights, their gradients and Adam's moments take at least " +
                          bytes_text(needed.of_model()) + but,
                      "choose a smaller --d-model or --d-ff, fewer layers, or a smaller --preset");
  if (needed.tensors_at_peak() > usable)
    throw input_error("--batch-tokens",
                      "a step on a full batch takes about " + bytes_text(needed.tensors_at_peak()) +
                          ", of which the model takes " + bytes_text(needed.of_model()) + but,
                      std::string("choose a smaller --batch-tokens or --max-tokens") +
                          (settings.recompute ? "" : ", or add --recompute") + ", or a smaller --d-model");
}

std::string describe_memory(const TrainingMemory& needed, double held, double usable) {
  return "about " + bytes_text(held + needed.tensors_at_peak()) +
         (std::isfinite(usable) ? " of " + bytes_text(usable) : "");
}

}  // namespace plainformer
