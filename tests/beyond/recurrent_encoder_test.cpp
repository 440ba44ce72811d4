#include "beyond/recurrent_encoder.h"

#include <gtest/gtest.h>

#include "beyond/layer_checks.h"

namespace plainformer {
namespace {

// Each state of the memory depends on the whole sentence, and on no other sentence of the batch.
TEST(RecurrentEncoder, ReadsBothWaysAndNoPadding) {
  const RecurrentEncoder encoder = randomized(RecurrentEncoder(5, 6));
  Tensor x = random_tensor({2, 4, 5}, 1);
  RecurrentEncoder::Cache cache;
  const Tensor before = encoder.forward(x, {4, 2}, cache);
  EXPECT_EQ(before.shape(), (Shape{2, 4, 6}));

  // The padding of the second sentence changes.
  std::fill_n(x.mutable_data() + (4 + 2) * 5, 2 * 5, Real(9));
  const Tensor padded = encoder.forward(x, {4, 2}, cache);
  EXPECT_TRUE(std::equal(before.data(), before.data() + (4 + 2) * 6, padded.data()));

  // The last word of the first sentence changes. The first word's forward state stays, its backward state does not.
  std::fill_n(x.mutable_data() + 3 * 5, 5, Real(9));
  const Tensor changed = encoder.forward(x, {4, 2}, cache);
  for (Index j = 0; j < 6; ++j) EXPECT_EQ(changed.at({0, 0, j}) == before.at({0, 0, j}), j < 3) << j;
}

GRADIENT_TEST(RecurrentEncoder, Gradient) {
  RecurrentEncoder encoder = randomized(RecurrentEncoder(5, 6));
  ParameterList parameters;
  encoder.append_parameters("encoder", parameters);
  Tensor x = random_tensor({2, 4, 5}, 1);
  const Tensor grad_output = random_tensor({2, 4, 6}, 2);
  RecurrentEncoder::Cache cache;
  encoder.forward(x, {4, 2}, cache);
  const Tensor grad_x = encoder.backward(grad_output, cache);
  std::vector<Differentiated> inputs = differentiated(parameters);
  inputs.push_back({"x", &x, grad_x});
  const auto loss = [&] {
    RecurrentEncoder::Cache unused;
    return dot(grad_output, encoder.forward(x, {4, 2}, unused));
  };
  EXPECT_TRUE(gradients_agree(loss, inputs));
}

}  // namespace
}  // namespace plainformer
