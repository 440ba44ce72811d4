#include "beyond/recurrent_decoder.h"

#include <gtest/gtest.h>

#include "beyond/layer_checks.h"

namespace plainformer {
namespace {

// The source's padding has no influence, and gets no gradient.
TEST(RecurrentDecoder, AsksOnlyTheWordsOfItsSource) {
  RecurrentDecoder decoder = randomized(RecurrentDecoder({5, 6, 3}));
  const Tensor y = random_tensor({2, 3, 5}, 1);
  Tensor memory = random_tensor({2, 4, 6}, 2);
  const AttentionMask mask = {.key_lengths = {4, 2}};
  RecurrentDecoder::Cache cache;
  const Tensor before = decoder.forward(y, memory, mask, cache);
  std::fill_n(memory.mutable_data() + (4 + 2) * 6, 2 * 6, Real(9));
  EXPECT_TRUE(same_bits(decoder.forward(y, memory, mask, cache), before));
  const Tensor grad_memory = decoder.backward(random_tensor(before.shape(), 3), cache).memory;
  for (Index i = (4 + 2) * 6; i < grad_memory.size(); ++i) EXPECT_EQ(grad_memory.data()[i], 0);
}

GRADIENT_TEST(RecurrentDecoder, Gradient) {
  RecurrentDecoder decoder = randomized(RecurrentDecoder({5, 6, 3}));
  ParameterList parameters;
  decoder.append_parameters("decoder", parameters);
  Tensor y = random_tensor({2, 3, 5}, 1), memory = random_tensor({2, 4, 6}, 2);
  const Tensor grad_output = random_tensor({2, 3, 5}, 3);
  const AttentionMask mask = {.key_lengths = {4, 2}};
  RecurrentDecoder::Cache cache;
  decoder.forward(y, memory, mask, cache);
  const auto grad = decoder.backward(grad_output, cache);
  std::vector<Differentiated> inputs = differentiated(parameters);
  inputs.push_back({"y", &y, grad.y});
  inputs.push_back({"memory", &memory, grad.memory});
  const auto loss = [&] {
    RecurrentDecoder::Cache unused;
    return dot(grad_output, decoder.forward(y, memory, mask, unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

}  // namespace
}  // namespace plainformer
