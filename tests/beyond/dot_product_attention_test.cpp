#include "beyond/dot_product_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// Two keys with the scores q . k = 0 and ln 3, whatever d_k: weights 1/4 and 3/4. The third key is not seen.
TEST(DotProductAttention, DoesNotScale) {
  AttentionCache cache;
  const double ln_3 = std::log(3.0);
  const Tensor output = dot_product_attention_forward(
      tensor({1, 1, 2}, {1, 1}), tensor({1, 3, 2}, {0, 0, ln_3 / 2, ln_3 / 2, 9, 9}),
      tensor({1, 3, 2}, {4, 0, 8, 4, 100, 100}), {.key_lengths = {2}}, 1, cache);
  EXPECT_TRUE(near(output, {1, 1, 2}, {7, 3}, 1e-5));
}

// The width of one head counts, not that of all heads: in each head the scores are 0 and ln 3.
TEST(DotProductAttention, DoesNotScaleInAnyHead) {
  AttentionCache cache;
  const double x = std::log(3.0) / 2;
  const Tensor output = dot_product_attention_forward(
      tensor({1, 1, 4}, {1, 1, 1, 1}), tensor({1, 2, 4}, {0, 0, x, x, x, x, 0, 0}),
      tensor({1, 2, 2}, {4, 0, 8, 4}), {.key_lengths = {2}}, 2, cache);
  EXPECT_TRUE(near(output, {1, 1, 2}, {7, 1}, 1e-5));
}

TEST(DotProductAttention, RefusesHeadsThatDoNotFit) {
  AttentionCache cache;
  const Tensor x = random_tensor({1, 3, 4}, 1);
  for (const Index heads : {0, 3, 8})
    EXPECT_THROW(dot_product_attention_forward(x, x, x, {.key_lengths = {3}}, heads, cache),
                 std::logic_error);
}

GRADIENT_TEST(DotProductAttention, Gradient) {
  Tensor query = random_tensor({3, 5, 8}, 1), key = random_tensor({3, 7, 8}, 2);
  Tensor value = random_tensor({3, 7, 12}, 3);
  const Tensor grad_output = random_tensor({3, 5, 12}, 4);
  const AttentionMask mask = {.key_lengths = {7, 3, 0}, .causal = true};
  AttentionCache cache;
  dot_product_attention_forward(query, key, value, mask, 2, cache);
  const AttentionGradients grad = dot_product_attention_backward(grad_output, cache);
  const auto loss = [&] {
    AttentionCache unused;
    return dot(grad_output, dot_product_attention_forward(query, key, value, mask, 2, unused));
  };
  EXPECT_TRUE(gradients_agree(
      loss, {{"query", &query, grad.query}, {"key", &key, grad.key}, {"value", &value, grad.value}}));
}

}  // namespace
}  // namespace plainformer
