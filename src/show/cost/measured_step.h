// One training step that really runs, measured.
#pragma once

#include <cstdint>

#include "transformer/config.h"
#include "transformer/token_batch.h"

namespace plainformer {

struct MeasuredStep {
  std::int64_t multiply_adds = 0;  // of matrix products
  std::int64_t peak_bytes = 0;     // of tensors, at the fullest moment
  double seconds = 0;
};

// Makes two steps on this batch, and measures the second: the first meets new memory.
MeasuredStep measured_step(const ModelConfig& config, const TranslationBatch& batch, bool recompute);

}  // namespace plainformer
