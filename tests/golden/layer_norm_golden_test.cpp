// Layer normalization, against PyTorch's F.layer_norm.
#include "golden/golden.h"
#include "ops/layer_norm.h"

namespace plainformer::golden {
namespace {

// tests/golden/layer_norm.safetensors: x [2, 3, 7], epsilon 1e-6.
TEST(LayerNormGolden, ForwardAndBackward) {
  const GoldenCase golden("layer_norm", "");
  Parameter gain(golden.at("gain")), bias(golden.at("bias"));
  LayerNormCache cache;
  const Tensor output = layer_norm_forward(golden.at("x"), gain, bias, static_cast<Real>(1e-6), cache);
  expect_near("output", golden.at("output"), output, kForOnePart);

  const Tensor grad_x = layer_norm_backward(golden.at("grad_output"), cache, gain, bias);
  expect_near("grad.x", golden.at("grad.x"), grad_x, kForOnePart);
  expect_near("grad.gain", golden.at("grad.gain"), gain.grad, kForOnePart);
  expect_near("grad.bias", golden.at("grad.bias"), bias.grad, kForOnePart);
  golden.expect_all_read();
}

}  // namespace
}  // namespace plainformer::golden
