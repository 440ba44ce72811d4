#include "train/estimates.h"

#include <algorithm>
#include <cmath>

#include "core/input_error.h"
#include "report/numbers.h"
#include "train/training_cost.h"

namespace plainformer {

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
  return bytes < 1e9 ? format_fixed(bytes / 1e6, 0) + " MB" : format_fixed(bytes / 1e9, 1) + " GB";
}

}  // namespace

MemoryEstimate estimate_memory(const Settings& settings, const ModelConfig& model,
                               const std::vector<SentencePair>& train) {
  const TrainingMemory memory =
      training_memory(model, full_batch(settings, train),
                      TrainingMethod::in_use(model.vocab, settings.recompute), /*threads=*/0);
  return {.model = memory.weights + memory.gradients + memory.moments, .step = memory.tensors_at_peak()};
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
