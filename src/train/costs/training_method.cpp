#include "train/costs/training_method.h"

#include "ops/fast/block_sizes.h"

namespace plainformer {

TrainingMethod TrainingMethod::in_use(Index vocab, bool recompute) {
  return {.attention = ways.attention,
          .queries_of_tile = queries_of_attention_tile(),
          .cross_entropy = ways.cross_entropy,
          .rows_of_logits = rows_of_logits_block(vocab),
          .recompute = recompute};
}

}  // namespace plainformer
