// 3.2.1 Scaled Dot-Product Attention, equation (1), against PyTorch's.
#include "golden/golden.h"
#include "ops/scaled_dot_product_attention.h"

namespace plainformer::golden {
namespace {

// tests/golden/attention.safetensors: batch 2, 3 heads, 5 queries, 4 or 5 keys, d_k 7, d_v 6.
void compare_attention(const GoldenCase& golden, bool causal) {
  const AttentionMask mask{golden.lengths("key_lengths"), causal};
  AttentionCache cache;
  const Tensor output = scaled_dot_product_attention_forward(golden.at("query"), golden.at("key"),
                                                             golden.at("value"), mask, cache);
  expect_near("weights", golden.at("weights"), cache.weights, kForOnePart);
  expect_near("output", golden.at("output"), output, kForOnePart);

  const AttentionGradients grads = scaled_dot_product_attention_backward(golden.at("grad_output"), cache);
  expect_near("grad_query", golden.at("grad_query"), grads.query, kForOnePart);
  expect_near("grad_key", golden.at("grad_key"), grads.key, kForOnePart);
  expect_near("grad_value", golden.at("grad_value"), grads.value, kForOnePart);
  golden.expect_all_read();
}

TEST(AttentionGolden, Unmasked) {
  compare_attention(GoldenCase("attention", "unmasked."), false);
}

// Sentence 1 has no key at all: weights, output and gradients are 0.
TEST(AttentionGolden, Padding) {
  compare_attention(GoldenCase("attention", "padding."), false);
}

TEST(AttentionGolden, Causal) {
  compare_attention(GoldenCase("attention", "causal."), true);
}

TEST(AttentionGolden, PaddingAndCausal) {
  compare_attention(GoldenCase("attention", "padding_and_causal."), true);
}

}  // namespace
}  // namespace plainformer::golden
