// Paper: 3 Model Architecture. A test for each sentence that prescribes something.
#include <gtest/gtest.h>

#include "core/special_symbols.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

// "the encoder maps an input sequence of symbol representations (x_1, ..., x_n) to a sequence of continuous
// representations z = (z_1, ..., z_n)."
TEST(Section3, TheEncoderMapsASequenceOfSymbolsToAsManyContinuousRepresentations) {
  const Transformer model(small_config(), 1);
  const Tensor z = model.encode(TokenBatch::from({{4, 5, 6, 7, 2}}));
  EXPECT_EQ(z.shape(), (Shape{1, 5, 6}));
}

// "Given z, the decoder then generates an output sequence (y_1, ..., y_m) of symbols one element at a time.
// At each step the model is auto-regressive, consuming the previously generated symbols as additional input".
TEST(Section3, AtEachStepTheModelConsumesThePreviouslyGeneratedSymbols) {
  Transformer model(small_config(), 1);
  randomize(model.parameters(), 10);
  const TokenBatch source = TokenBatch::from({{4, 5, 6, 2}});
  const Tensor z = model.encode(source);
  const auto next_logits = [&](const std::vector<int>& generated) {
    const Tensor output = model.decode(TokenBatch::from({generated}), z, source.lengths);
    const Tensor logits = output_projection_forward(output, model.embedding);
    const Index vocab = logits.dim(2), last = logits.dim(1) - 1;
    return std::vector<Real>(logits.data() + last * vocab, logits.data() + (last + 1) * vocab);
  };
  EXPECT_NE(next_logits({kStartId, 7, 8}), next_logits({kStartId, 9, 8}));  // another word two steps ago
  EXPECT_NE(next_logits({kStartId, 7, 8}), next_logits({kStartId, 8}));
}

}  // namespace
}  // namespace plainformer
