// 3 Model Architecture, the whole model with its loss, against one put together from PyTorch's modules.
#include "golden/golden_model.h"
#include "ops/cross_entropy.h"
#include "support/small_model.h"

namespace plainformer::golden {
namespace {

// tests/golden/transformer.safetensors: 2 + 2 layers, d_model 12, d_ff 20, 3 heads, vocab 11; 3 sentence
// pairs.
class TransformerGolden : public testing::Test {
 protected:
  TransformerGolden() { golden.load(model.parameters()); }

  Tensor logits() const { return logits_of(model, batch.source, batch.target_input, DropoutState()); }
  double loss(double smoothing) const {  // per target token
    return cross_entropy_forward(logits(), batch.targets(), smoothing).loss / tokens;
  }

  const GoldenCase golden{"transformer", ""};
  const TranslationBatch batch = golden_batch(golden, "");
  const double tokens = static_cast<double>(batch.target_tokens());
  Transformer model{golden_config(), 1};
};

TEST_F(TransformerGolden, PositionalEncoding) {
  expect_near("positional_encoding", golden.at("positional_encoding"), PositionalEncoding(10, 12).table.value,
              kForOnePart);
}

TEST_F(TransformerGolden, Logits) {
  expect_near("logits", golden.at("logits"), without_padding(logits(), batch.target_input.lengths),
              kForWholeModel);
}

TEST_F(TransformerGolden, LogProbabilityOfEachSentence) {
  const Tensor& expected = golden.at("log_probabilities");
  for (Index sentence = 0; sentence < batch.target_output.batch; ++sentence) {
    TokenBatch alone = batch.target_output;
    for (Index other = 0; other < alone.batch; ++other)
      if (other != sentence) alone.lengths[static_cast<std::size_t>(other)] = 0;
    const double got =
        cross_entropy_forward(
            logits(), TranslationBatch{.source = {}, .target_input = {}, .target_output = alone}.targets(),
            0.1)
            .log_probability;
    expect_near("log_probabilities", expected.at({sentence}), got, kForWholeModel);
  }
}

TEST_F(TransformerGolden, LossWithoutLabelSmoothing) {
  expect_near("loss_no_smoothing", golden.number("loss_no_smoothing"), loss(0), kForWholeModel);
}

TEST_F(TransformerGolden, LossAndGradientOfEveryParameter) {
  expect_near("loss", golden.number("loss"), loss(0.1), kForWholeModel);

  // The same from the decoder's output, as a training step does it.
  const double sum = backpropagate(model, batch, DropoutState(), 0.1, static_cast<Real>(1 / tokens));
  expect_near("loss", golden.number("loss"), sum / tokens, kForWholeModel);
  expect_gradients_near(golden, model.parameters(), kForWholeModel);
  golden.expect_all_read({"positional_encoding", "logits", "log_probabilities", "loss_no_smoothing"});
}

}  // namespace
}  // namespace plainformer::golden
