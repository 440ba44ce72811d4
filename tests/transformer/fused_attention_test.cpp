#include "transformer/fused_attention.h"

#include <gtest/gtest.h>

#include "ops/scaled_dot_product_attention.h"
#include "ops/swap_axes.h"
#include "tensors.h"
#include "thrown_message.h"

namespace plainformer {
namespace {

constexpr Index kBatch = 3, kHeads = 2, kDk = 5;

// [batch, len, heads * d_k] -> [batch, heads, len, d_k], and back.
Tensor split_heads(const Tensor& x) {
  return swap_middle_axes(x.reshaped({x.dim(0), x.dim(1), kHeads, x.dim(2) / kHeads}));
}
Tensor merge_heads(const Tensor& x) {
  return swap_middle_axes(x).reshaped({x.dim(0), x.dim(2), x.dim(1) * x.dim(3)});
}

void expect_equation_1(const AttentionMask& mask, Index query_len, Index key_len) {
  const Tensor query = random_tensor({kBatch, query_len, kHeads * kDk}, 1);
  const Tensor key = random_tensor({kBatch, key_len, kHeads * kDk}, 2);
  const Tensor value = random_tensor({kBatch, key_len, kHeads * kDk}, 3);
  const Tensor grad_output = random_tensor({kBatch, query_len, kHeads * kDk}, 4);
  FusedAttentionCache fused;
  const Tensor output = fused_attention_forward(query, key, value, mask, kHeads, fused);
  const FusedAttentionGradients grad = fused_attention_backward(grad_output, fused);

  AttentionCache plain;
  const Tensor expected = scaled_dot_product_attention_forward(split_heads(query), split_heads(key),
                                                               split_heads(value), mask, plain);
  const AttentionGradients expected_grad =
      scaled_dot_product_attention_backward(split_heads(grad_output), plain);
  EXPECT_TRUE(near(output, merge_heads(expected), 1e-5));
  EXPECT_TRUE(near(grad.query, merge_heads(expected_grad.query), 2e-5));
  EXPECT_TRUE(near(grad.key, merge_heads(expected_grad.key), 2e-5));
  EXPECT_TRUE(near(grad.value, merge_heads(expected_grad.value), 2e-5));
}

TEST(FusedAttention, IsEquation1WithoutAMask) {
  expect_equation_1({{9, 9, 9}, false}, 7, 9);
}

TEST(FusedAttention, IsEquation1WithPadding) {
  expect_equation_1({{9, 4, 0}, false}, 7, 9);
}

TEST(FusedAttention, IsEquation1WithCausality) {
  expect_equation_1({{8, 8, 8}, true}, 8, 8);
}

TEST(FusedAttention, IsEquation1WithBothMasks) {
  expect_equation_1({{8, 3, 1}, true}, 8, 8);
}

TEST(FusedAttention, IsEquation1BeyondATile) {
  expect_equation_1({{150, 131, 70}, true}, 150, 150);
}

TEST(FusedAttention, RefusesWhatDoesNotFit) {
  const Tensor query = random_tensor({2, 3, 12}, 1), key = random_tensor({2, 5, 12}, 2);
  const Tensor value = random_tensor({2, 5, 24}, 3);
  const AttentionMask mask = {.key_lengths = {5, 4}};
  FusedAttentionCache cache;
  const auto attend = [&](const Tensor& q, const Tensor& k, const Tensor& v, Index heads) {
    return fused_attention_forward(q, k, v, mask, heads, cache);
  };
  EXPECT_NO_THROW(attend(query, key, value, 4));
  for (const Index heads : {0, -4, 5, 8}) EXPECT_THROW(attend(query, key, value, heads), std::logic_error);
  const std::string message = thrown_message<std::logic_error>([&] {
    attend(query, random_tensor({2, 5, 8}, 2), value, 4);
  });
  EXPECT_NE(message.find("key: expected [batch=2, key_len=5, heads * d_k=12], got [2, 5, 8]"),
            std::string::npos)
      << message;
  EXPECT_THROW(attend(random_tensor({3, 2, 12}, 1), key, value, 4), std::logic_error);
  EXPECT_THROW(attend(query, key, random_tensor({2, 4, 24}, 3), 4), std::logic_error);
}

TEST(FusedAttention, KeepsNoMatrixOfWeights) {
  const Index len = 64;
  const Tensor x = random_tensor({kBatch, len, kHeads * kDk}, 1);
  FusedAttentionCache cache;
  fused_attention_forward(x, x, x, {{len, len, len}, true}, kHeads, cache);
  for (const Tensor* kept : {&cache.a, &cache.b, &cache.c, &cache.y, &cache.log_sums}) {
    EXPECT_LE(kept->size(), x.size()) << kept->shape().to_string();
  }
}

}  // namespace
}  // namespace plainformer
