#include "train/needed_memory.h"

#include <algorithm>
#include <cmath>

#include "core/input_error.h"
#include "core/special_symbols.h"
#include "core/thread_pool.h"
#include "report/number_format.h"

namespace plainformer {

namespace {

// "213 MB", "25.2 GB".
std::string bytes_text(double bytes) {
  return bytes < 1e9 ? format_fixed(bytes / 1e6, 0) + " MB" : format_fixed(bytes / 1e9, 1) + " GB";
}

// What does not depend on the batch.
double bytes_of_model(const TrainingMemory& memory) {
  return static_cast<double>(memory.weights + memory.gradients + memory.moments + memory.positions);
}

// The average of checkpoints, at the end: a sum in double, and a file's weights or the average itself.
double bytes_of_average(const TrainSettings& settings, const TrainingMemory& memory) {
  return settings.keep > 1 ? bytes_of_model(memory) + 3 * static_cast<double>(memory.weights) : 0;
}

void require_model_fits(const TrainingMemory& needed, double usable) {
  const double bytes = bytes_of_model(needed);
  if (bytes <= usable) return;
  throw input_error("the model",
                    "its weights, their gradients and Adam's moments take at least " + bytes_text(bytes) +
                        ", but this program may use " + bytes_text(usable) + " of memory here",
                    "choose a smaller --d-model or --d-ff, fewer layers, or a smaller --preset");
}

TrainingMemory account_of(const TrainSettings& settings, const ModelConfig& model, const BatchShape& batch) {
  return training_memory(model, batch, TrainingMethod::in_use(model.vocab, settings.recompute), threads());
}

// R-Drop makes two passes over a batch as one.
BatchShape shape_of(const std::vector<SentencePair>& pairs, const std::vector<Index>& numbers,
                    bool is_twice) {
  BatchShape shape;
  for (int pass = 0; pass < (is_twice ? 2 : 1); ++pass) {
    for (const Index number : numbers) {
      shape.source_lengths.push_back(std::ssize(pairs[number].source) + 1);  // with </s>
      shape.target_lengths.push_back(std::ssize(pairs[number].target) + 1);  // with <s>
    }
  }
  return shape;
}

}  // namespace

TrainingMemory needed_memory(const TrainSettings& settings, const ModelConfig& model,
                             const std::vector<SentencePair>& train) {
  TrainingMemory largest;
  for (const auto& numbers :
       make_batches(train, settings.batch_tokens, settings.training.seed, /*epoch=*/0)) {
    const TrainingMemory memory = account_of(settings, model, shape_of(train, numbers, settings.r_drop > 0));
    if (memory.tensors_at_peak() > largest.tensors_at_peak()) largest = memory;
  }
  return largest;
}

void require_memory_for_model(const TrainSettings& settings, double usable) {
  ModelConfig model = settings.model;
  model.vocab = kSpecialSymbols + 1;  // the real size is known only when the data is read
  require_model_fits(account_of(settings, model, BatchShape::equal_lengths(1, 1, 1)), usable);
}

void require_memory(const TrainSettings& settings, const TrainingMemory& needed, double usable) {
  require_model_fits(needed, usable);
  const std::string but = ", but this program may use " + bytes_text(usable) + " of memory here";
  const double step = static_cast<double>(needed.tensors_at_peak()),
               average = bytes_of_average(settings, needed);
  if (step > usable)
    throw input_error("--batch-tokens",
                      "a step on the largest batch takes " + bytes_text(step) +
                          ", of which the model takes " + bytes_text(bytes_of_model(needed)) + but,
                      std::string("choose a smaller --batch-tokens or --max-tokens") +
                          (settings.recompute ? "" : ", or add --recompute") + ", or a smaller --d-model");
  if (average > usable)
    throw input_error("--keep", "the average of checkpoints at the end takes " + bytes_text(average) + but,
                      "give --keep 1 for no average, or choose a smaller model");
}

std::string describe_memory(const TrainSettings& settings, const TrainingMemory& needed, double held,
                            double usable) {
  const double step = static_cast<double>(needed.tensors_at_peak() + needed.scratch);
  const double bytes = held + std::max(step, bytes_of_average(settings, needed));
  return "about " + bytes_text(bytes) + (std::isfinite(usable) ? " of " + bytes_text(usable) : "");
}

}  // namespace plainformer
