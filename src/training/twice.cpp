#include "training/twice.h"

namespace plainformer {

namespace {

TokenBatch twice(const TokenBatch& batch) {
  TokenBatch both = batch;
  both.batch *= 2;
  both.ids.insert(both.ids.end(), batch.ids.begin(), batch.ids.end());
  both.lengths.insert(both.lengths.end(), batch.lengths.begin(), batch.lengths.end());
  return both;
}

}  // namespace

TranslationBatch twice(const TranslationBatch& batch) {
  return {.source = twice(batch.source),
          .target_input = twice(batch.target_input),
          .target_output = twice(batch.target_output)};
}

}  // namespace plainformer
