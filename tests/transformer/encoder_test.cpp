// The gradients. The values are held by tests/paper/section_3_1_test.cpp and tests/golden.
#include "transformer/encoder.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

const AttentionMask kSourceMask = {.key_lengths = {5, 3}, .causal = false};

// One check for EncoderLayer and Encoder, which have the same interface.
template <typename Part>
void check_encoder_gradients() {
  Part part(small_config(), 5);
  const ParameterList parameters = parameters_of(part);
  randomize(parameters, 10);
  Tensor x = random_tensor({2, 5, 6}, 1);  // [batch, source_len, d_model]
  const Tensor grad_output = random_tensor(x.shape(), 2);
  typename Part::Cache cache;
  part.forward(x, kSourceMask, dropout_of(0.3), cache);
  const Tensor grad_x = part.backward(grad_output, cache);
  std::vector<CheckedTensor> inputs = checked_tensors(parameters);
  inputs.push_back({"x", &x, grad_x});
  const auto loss = [&] {
    typename Part::Cache unused;
    return dot(grad_output, part.forward(x, kSourceMask, dropout_of(0.3), unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

GRADIENT_TEST(EncoderLayer, Gradient) {
  check_encoder_gradients<EncoderLayer>();
}
GRADIENT_TEST(Encoder, Gradient) {
  check_encoder_gradients<Encoder>();
}

}  // namespace
}  // namespace plainformer
