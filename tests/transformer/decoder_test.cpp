// The gradients. The values are held by tests/paper/section_3_1_test.cpp and tests/golden.
#include "transformer/decoder.h"

#include <gtest/gtest.h>

#include "support/gradient_check.h"
#include "support/small_model.h"

namespace plainformer {
namespace {

constexpr Index kTargets = 2, kTargetLen = 4, kMemoryLen = 5, kDecoderWidth = 6;
const AttentionMask kTargetMask = {.key_lengths = {4, 3}, .causal = true};
const AttentionMask kMemoryMask = {.key_lengths = {3, 5}, .causal = false};

Tensor random_target() {
  return random_tensor({kTargets, kTargetLen, kDecoderWidth}, 1);
}
Tensor random_memory() {
  return random_tensor({kTargets, kMemoryLen, kDecoderWidth}, 2);
}

// One check for DecoderLayer and Decoder, which have the same interface.
template <typename Part>
void check_decoder_gradients(double dropout) {
  Part part(small_config(), 5);
  ParameterList parameters;
  part.append_parameters("", parameters);
  randomize(parameters, 10);
  Tensor x = random_target(), memory = random_memory();
  const Tensor grad_output = random_tensor(x.shape(), 3);
  typename Part::Cache cache;
  part.forward(x, memory, kTargetMask, kMemoryMask, dropout_of(dropout), cache);
  const auto grad = part.backward(grad_output, cache);
  std::vector<Differentiated> inputs = differentiated(parameters);
  inputs.push_back({"x", &x, grad.x});
  inputs.push_back({"memory", &memory, grad.memory});
  const auto loss = [&] {
    typename Part::Cache unused;
    return dot(grad_output, part.forward(x, memory, kTargetMask, kMemoryMask, dropout_of(dropout), unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

GRADIENT_TEST(DecoderLayer, Gradient) {
  check_decoder_gradients<DecoderLayer>(0.3);
}
GRADIENT_TEST(Decoder, Gradient) {
  check_decoder_gradients<Decoder>(0.3);
}

}  // namespace
}  // namespace plainformer
