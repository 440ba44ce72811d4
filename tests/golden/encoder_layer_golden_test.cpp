// 3.1 Encoder and Decoder Stacks, one encoder layer, against PyTorch's nn.TransformerEncoderLayer.
#include "golden/golden_model.h"
#include "transformer/encoder.h"

namespace plainformer::golden {
namespace {

// tests/golden/encoder_layer.safetensors: d_model 12, d_ff 20, 3 heads; sources of 5 and 3 tokens.
TEST(EncoderLayerGolden, ForwardAndBackward) {
  const GoldenCase golden("encoder_layer", "");
  EncoderLayer layer(golden_config(), 0);
  const ParameterList parameters = parameters_of(layer);
  golden.load(parameters);

  const std::vector<Index> lengths = golden.lengths("source_lengths");
  EncoderLayer::Cache cache;
  const Tensor output = layer.forward(golden.at("input"), {lengths, false}, DropoutState(), cache);
  expect_near("output", golden.at("output"), without_padding(output, lengths), kForOnePart);

  const Tensor grad_input = layer.backward(golden.at("grad_output"), cache);
  expect_near("grad.input", golden.at("grad.input"), grad_input, kForOnePart);
  expect_gradients_near(golden, parameters, kForOnePart);
  golden.expect_all_read();
}

}  // namespace
}  // namespace plainformer::golden
