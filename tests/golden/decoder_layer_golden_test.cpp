// 3.1 Encoder and Decoder Stacks, one decoder layer, against PyTorch's nn.TransformerDecoderLayer.
#include "golden/golden_model.h"
#include "transformer/decoder.h"

namespace plainformer::golden {
namespace {

// tests/golden/decoder_layer.safetensors: d_model 12, d_ff 20, 3 heads; targets of 4 and 2, sources of 3 and
// 5 tokens.
TEST(DecoderLayerGolden, ForwardAndBackward) {
  const GoldenCase golden("decoder_layer", "");
  DecoderLayer layer(golden_config(), 0);
  const ParameterList parameters = parameters_of(layer);
  golden.load(parameters);

  const std::vector<Index> target_lengths = golden.lengths("target_lengths");
  const AttentionMask target_mask{target_lengths, true}, source_mask{golden.lengths("source_lengths"), false};
  DecoderLayer::Cache cache;
  const Tensor output = layer.forward(golden.at("input"), golden.at("encoder_output"), target_mask,
                                      source_mask, DropoutState(), cache);
  expect_near("output", golden.at("output"), without_padding(output, target_lengths), kForOnePart);

  const DecoderLayer::InputGradients grads = layer.backward(golden.at("grad_output"), cache);
  expect_near("grad.input", golden.at("grad.input"), grads.x, kForOnePart);
  expect_near("grad.encoder_output", golden.at("grad.encoder_output"), grads.memory, kForOnePart);
  expect_gradients_near(golden, parameters, kForOnePart);
  golden.expect_all_read();
}

}  // namespace
}  // namespace plainformer::golden
