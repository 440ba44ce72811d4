// 3.2.1 Scaled Dot-Product Attention, equation (1), against PyTorch's.
#include "golden/golden.h"
#include "support/attention.h"

namespace plainformer::golden {
namespace {

// tests/golden/attention.safetensors: batch 2, 3 heads, 5 queries, 4 or 5 keys, d_k 7, d_v 6.
constexpr Index kHeads = 3;

void compare_attention(const GoldenCase& golden, bool causal) {
  const AttentionMask mask{golden.lengths("key_lengths"), causal};
  const Tensor q = golden.at("query"), k = golden.at("key"), v = golden.at("value");
  const Tensor grad_output = golden.at("grad_output");
  AttentionCache cache;
  const Tensor output = attention_forward(q, k, v, mask, cache);
  const AttentionGradients grad = attention_backward(grad_output, cache);
  expect_near("weights", golden.at("weights"), cache.weights, kForOnePart);
  expect_near("output", golden.at("output"), output, kForOnePart);
  expect_near("grad_query", golden.at("grad_query"), grad.q, kForOnePart);
  expect_near("grad_key", golden.at("grad_key"), grad.k, kForOnePart);
  expect_near("grad_value", golden.at("grad_value"), grad.v, kForOnePart);

  // The same with the heads side by side, in the way in use.
  const Tensor query = concatenate_heads(q), key = concatenate_heads(k), value = concatenate_heads(v);
  const MultiHeadAttention heads = heads_of(kHeads, query, value);
  MultiHeadAttention::Cache kept;
  const Tensor concat = heads.attend(query, key, value, mask, kept);
  const AttentionGradients grads = heads.attend_backward(concatenate_heads(grad_output), kept);
  expect_near("output", golden.at("output"), split_heads(concat, kHeads), kForOnePart);
  expect_near("grad_query", golden.at("grad_query"), split_heads(grads.q, kHeads), kForOnePart);
  expect_near("grad_key", golden.at("grad_key"), split_heads(grads.k, kHeads), kForOnePart);
  expect_near("grad_value", golden.at("grad_value"), split_heads(grads.v, kHeads), kForOnePart);
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
