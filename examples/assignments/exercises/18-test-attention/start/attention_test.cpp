// Your tests of scaled dot-product attention, equation (1) of the paper.
//
// They run against the library's attention, which they must accept, and against broken ones, each of which at
// least one of your tests must reject. Numbers are double.
//
// From tests/support:
//   tensor(shape, {numbers})                  a Tensor
//   random_tensor(shape, seed)                a Tensor of mean 0 and variance 1, the same for the same seed
//   values(x)                                 its numbers, a std::vector<double>
//   dot(x, y)                                 the sum of x_i y_i, a double
//   EXPECT_TRUE(near(x, y, tolerance))        two tensors; or a tensor and numbers: near(x, shape, {numbers}, tolerance)
//   EXPECT_TRUE(gradients_agree(loss, {{"x", &x, grad_x}, ...}))
//                                             loss() computes a double anew from x, which the check changes
#include <gtest/gtest.h>

#include <cmath>

#include "ops/scaled_dot_product_attention.h"
#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// An example. If all values are the same, each average of them is that value, whatever the weights are.
TEST(Attention, OfEqualValuesIsThatValue) {
  const Tensor q = random_tensor({1, 1, 2, 3}, 1);      // [batch, heads, query_len, d_k]
  const Tensor k = random_tensor({1, 1, 4, 3}, 2);      // [batch, heads, key_len, d_k]
  const Tensor v = tensor({1, 1, 4, 1}, {5, 5, 5, 5});  // [batch, heads, key_len, d_v]
  const AttentionMask mask = {.key_lengths = {4}, .causal = false};
  AttentionCache cache;
  const Tensor output = attention_forward(q, k, v, mask, cache);
  EXPECT_TRUE(near(output, {1, 1, 2, 1}, {5, 5}, 1e-12));
}

// Now yours. An attention that passes the test above may still break any of these promises:
//
// 1. The scores are dot products divided by sqrt(d_k). Choose scores whose softmax you know: logarithms.
// 2. A row of weights sums to 1 over the keys. (cache.weights, [batch, heads, query_len, key_len])
// 3. A key that is masked has no influence: neither padding (key_lengths) nor the future (causal).
// 4. The visible keys share all of the weight, also when others are masked.
// 5. The gradients are the derivatives of the output, in each element of q, k and v. Compare with
//    differences: support/gradient_check.h says how, and why the loss should not be a plain sum.
//
//    const Tensor cotangent = random_tensor(output.shape(), 4);
//    const AttentionGradients gradients = attention_backward(cotangent, cache);
//    EXPECT_TRUE(gradients_agree(loss, {{"q", &q, gradients.q}, ...}));
//
//    where loss() computes attention_forward anew and returns dot(cotangent, output).
//
// Let all extents differ (2, 3, 5, 7), so that a mix-up of two of them does not pass.

}  // namespace
}  // namespace plainformer
