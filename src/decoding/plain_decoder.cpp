#include "decoding/plain_decoder.h"

#include <algorithm>

namespace plainformer {

Tensor next_logits(const Transformer& model, const EncodedSources& encoded,
                   const std::vector<std::vector<int>>& prefixes, std::span<const Index> sentences) {
  const EncodedSources selected = select(encoded, sentences);
  const TokenBatch target_input = TokenBatch::from(prefixes);
  const Index rows = target_input.batch, target_len = target_input.len, vocab = model.config().vocab;
  Transformer::Cache cache = Transformer::Cache::without_backward();
  const Tensor logits = model.decode(target_input, selected.memory, selected.lengths, DropoutState{}, cache);
  CHECK_SHAPE(logits, rows, target_len, vocab);

  // Only what the newest position predicts is new.
  Tensor newest({rows, 1, vocab});
  Real* to = newest.mutable_data();
  for (Index row = 0; row < rows; ++row) {
    CHECK(target_input.lengths[row] == target_len, "prefixes of different lengths");
    to = std::copy_n(logits.data() + ((row + 1) * target_len - 1) * vocab, vocab, to);
  }
  return newest;
}

}  // namespace plainformer
