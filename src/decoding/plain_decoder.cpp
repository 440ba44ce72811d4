#include "decoding/plain_decoder.h"

#include <algorithm>

#include "core/check.h"

namespace plainformer {

Tensor next_logits(const Transformer& model, const EncodedSources& encoded,
                   const std::vector<std::vector<int>>& prefixes, std::span<const Index> sentences) {
  const EncodedSources selected = select(encoded, sentences);
  const TokenBatch target_input = TokenBatch::from(prefixes);
  const Index rows = target_input.batch, target_len = target_input.len, d_model = model.config().d_model;
  const Tensor output = model.decode(target_input, selected.memory, selected.lengths);
  CHECK_SHAPE(output, rows, target_len, d_model);

  // Only the newest position's prediction is new.
  Tensor newest({rows, 1, d_model});
  Real* to = newest.mutable_data();
  for (Index row = 0; row < rows; ++row) {
    CHECK(target_input.lengths[row] == target_len, "prefixes of different lengths");
    to = std::copy_n(output.data() + ((row + 1) * target_len - 1) * d_model, d_model, to);
  }
  return output_projection_forward(newest, model.embedding);
}

}  // namespace plainformer
