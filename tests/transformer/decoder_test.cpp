// The gradients. The values are held by tests/paper/section_3_1_test.cpp and tests/golden.
#include "transformer/decoder.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

const AttentionMask kTargetMask = {.key_lengths = {4, 3}, .causal = true};
const AttentionMask kMemoryMask = {.key_lengths = {3, 5}, .causal = false};

// One check for DecoderLayer and Decoder, which have the same interface.
template <typename Part>
void check_decoder_gradients() {
  Part part(small_config(), 5);
  const ParameterList parameters = parameters_of(part);
  randomize(parameters, 10);
  Tensor x = random_tensor({2, 4, 6}, 1);       // [batch, target_len, d_model]
  Tensor memory = random_tensor({2, 5, 6}, 2);  // [batch, source_len, d_model]
  const Tensor grad_output = random_tensor(x.shape(), 3);
  typename Part::Cache cache;
  part.forward(x, memory, kTargetMask, kMemoryMask, dropout_of(0.3), cache);
  const auto grad = part.backward(grad_output, cache);
  std::vector<CheckedTensor> inputs = checked_tensors(parameters);
  inputs.push_back({"x", &x, grad.x});
  inputs.push_back({"memory", &memory, grad.memory});
  const auto loss = [&] {
    typename Part::Cache unused;
    return dot(grad_output, part.forward(x, memory, kTargetMask, kMemoryMask, dropout_of(0.3), unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

GRADIENT_TEST(DecoderLayer, Gradient) {
  check_decoder_gradients<DecoderLayer>();
}
GRADIENT_TEST(Decoder, Gradient) {
  check_decoder_gradients<Decoder>();
}

}  // namespace
}  // namespace plainformer
