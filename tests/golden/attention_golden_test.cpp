// 3.2.1 Scaled Dot-Product Attention, equation (1), against PyTorch's.
#include "golden/golden.h"
#include "support/attention.h"

namespace plainformer::golden {
namespace {

// tests/golden/attention.safetensors: batch 2, 3 heads, 5 queries, 4 or 5 keys, d_k 7, d_v 6.
constexpr Index kHeads = 3;

void compare_attention(const GoldenCase& golden, bool causal) {
  const AttentionMask mask{golden.lengths("key_lengths"), causal};
  const Tensor query = merge_heads(golden.at("query")), key = merge_heads(golden.at("key"));
  const Tensor value = merge_heads(golden.at("value"));
  expect_near("weights", golden.at("weights"), plain_attention(query, key, value, mask, kHeads).weights,
              kForOnePart);
  AttentionCache cache;
  const Tensor output = attention_forward(query, key, value, mask, kHeads, cache);
  expect_near("output", golden.at("output"), split_heads(output, kHeads), kForOnePart);

  const AttentionGradients grads = attention_backward(merge_heads(golden.at("grad_output")), cache);
  expect_near("grad_query", golden.at("grad_query"), split_heads(grads.query, kHeads), kForOnePart);
  expect_near("grad_key", golden.at("grad_key"), split_heads(grads.key, kHeads), kForOnePart);
  expect_near("grad_value", golden.at("grad_value"), split_heads(grads.value, kHeads), kForOnePart);
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
