#include "train/estimates.h"

#include <algorithm>
#include <cmath>

#include "core/input_error.h"
#include "model_folder/model_folder.h"
#include "ops/ways.h"
#include "report/numbers.h"
#include "train/corpora.h"

namespace plainformer {

namespace {

// The positions of a full batch on one side, or of the whole text if it is shorter; twice with R-Drop.
double positions_of_batch(const Settings& settings, const std::vector<SentencePair>& train) {
  std::size_t source = 0, target = 0;
  for (const SentencePair& pair : train) {
    source += pair.source.size() + 1;  // with </s>
    target += pair.target.size() + 1;  // with <s>
  }
  const double all = static_cast<double>(std::max(source, target));
  return std::min(all, static_cast<double>(settings.batch_tokens)) * (settings.r_drop > 0 ? 2 : 1);
}

// The numbers that a step keeps for its backward pass, and the gradients within one layer, which are about as
// many as the layer keeps.
double numbers_of_step(const Settings& settings, const ModelConfig& model, double positions) {
  const auto real = [](Index number) { return static_cast<double>(number); };
  const double d_model = real(model.d_model), d_ff = real(model.d_ff), heads = real(model.heads);
  const double encoders = real(model.encoder_layers), decoders = real(model.decoder_layers);
  const double projected = heads * real(model.head_d_k() + model.head_d_v());
  // The fast way keeps the logarithm of each row's sum, the plain one the row of weights.
  const double row = ways.attention == Way::kPlain ? real(longest_in_training(settings)) : 1;
  const double attention = 2 * projected + heads * row;
  const double encoder_layer = attention + 3 * d_model + d_ff;
  const double decoder_layer = 2 * attention + 5 * d_model + d_ff;
  const double inputs = d_model * (encoders + decoders + 2);
  const double layers =
      settings.recompute ? decoder_layer : encoders * encoder_layer + decoders * decoder_layer;
  const double logits = ways.cross_entropy == Way::kPlain ? 2 * real(model.vocab) : 0;
  return positions * (inputs + layers + std::max(logits, decoder_layer));
}

// "213 MB", "25.2 GB".
std::string bytes_text(double bytes) {
  return bytes < 1e9 ? format_fixed(bytes / 1e6, 0) + " MB" : format_fixed(bytes / 1e9, 1) + " GB";
}

}  // namespace

MemoryEstimate estimate_memory(const Settings& settings, const ModelConfig& model,
                               const std::vector<SentencePair>& train) {
  constexpr double kBytes = sizeof(Real);
  const double weights = kBytes * static_cast<double>(count_weights(model));
  const double step = kBytes * numbers_of_step(settings, model, positions_of_batch(settings, train));
  return {.model = 4 * weights, .step = 4 * weights + step};
}

void require_memory(const Settings& settings, const MemoryEstimate& needed, double usable) {
  const std::string but = ", but this program may use " + bytes_text(usable) + " of memory here";
  if (needed.model > usable)
    throw input_error(
        "the model",
        "its weights, their gradients and Adam's moments take at least " + bytes_text(needed.model) + but,
        "choose a smaller --d-model or --d-ff, fewer layers, or a smaller --preset");
  if (needed.step > usable)
    throw input_error("--batch-tokens",
                      "a step on a full batch takes about " + bytes_text(needed.step) +
                          ", of which the model takes " + bytes_text(needed.model) + but,
                      std::string("choose a smaller --batch-tokens or --max-tokens") +
                          (settings.recompute ? "" : ", or add --recompute") + ", or a smaller --d-model");
}

std::string describe_memory(const MemoryEstimate& needed, double held, double usable) {
  return "about " + bytes_text(held + needed.step) +
         (std::isfinite(usable) ? " of " + bytes_text(usable) : "");
}

}  // namespace plainformer
