// Each operation reports as many multiply-adds as its loops make. (tests/ops/multiply_adds_test.cpp has the reports of
// both ways by hand.) The extents are pairwise different.
#include <gtest/gtest.h>

#include "beyond/additive_attention.h"
#include "beyond/linear_attention.h"
#include "beyond/neighbor_attention.h"
#include "counts.h"
#include "ops/cross_entropy.h"
#include "ops/linear.h"
#include "ops/scaled_dot_product_attention.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

TEST(CountingLinear, ReportsWhatItMakes) {
  const Tensor x = random_tensor({2, 3, 5}, 1), grad_y = random_tensor({2, 3, 7}, 2);
  Parameter w = random_parameter({5, 7}, 3), b = random_parameter({7}, 4),
            table = random_parameter({7, 5}, 5);
  constexpr std::int64_t kProduct = 2 * 3 * 5 * 7;
  EXPECT_TRUE(makes(kProduct, [&] { linear_forward(x, w); }));
  EXPECT_TRUE(makes(kProduct, [&] { linear_bias_forward(x, w, b); }));
  EXPECT_TRUE(makes(kProduct, [&] { linear_transposed_forward(x, table); }));
  EXPECT_TRUE(makes(2 * kProduct, [&] { linear_backward(grad_y, x, w); }));
  EXPECT_TRUE(makes(2 * kProduct, [&] { linear_bias_backward(grad_y, x, w, b); }));
  EXPECT_TRUE(makes(2 * kProduct, [&] { linear_transposed_backward(grad_y, x, table); }));
}

TEST(CountingLoss, ReportsItsProjection) {
  const Tensor x = random_tensor({3, 5}, 1);
  Parameter table = random_parameter({7, 5}, 2);
  const std::vector<int> targets = {6, kNoTarget, 0};
  Tensor grad_x;
  EXPECT_TRUE(makes(105, [&] { projected_cross_entropy_forward(x, table, targets, 0.1); }));
  EXPECT_TRUE(
      makes(315, [&] { projected_cross_entropy_forward_backward(1, x, table, targets, 0.1, grad_x); }));
}

// --- attention

constexpr Index kHeads = 3, kDk = 5, kDv = 2;

// Padding, a sentence of which nothing is seen, a causal mask, and both.
std::vector<AttentionMask> masks() {
  return {{.key_lengths = {7, 7}},
          {.key_lengths = {7, 4}},
          {.key_lengths = {0, 1}},
          {.key_lengths = {7, 7}, .causal = true},
          {.key_lengths = {6, 3}, .causal = true}};
}

struct Inputs {
  Tensor query = random_tensor({2, 4, kHeads*kDk}, 1), key = random_tensor({2, 7, kHeads*kDk}, 2),
         value = random_tensor({2, 7, kHeads*kDv}, 3), grad_output = random_tensor({2, 4, kHeads*kDv}, 4);
};

// The plain way multiplies masked keys, too.
TEST(CountingAttention, ReportsWhatItMakes) {
  const Inputs in;
  for (const AttentionMask& mask : masks()) {
    AttentionCache cache;
    constexpr std::int64_t kProduct = 2 * kHeads * 4 * 7 * (kDk + kDv);
    EXPECT_TRUE(makes(kProduct, [&] { attention_forward(in.query, in.key, in.value, mask, kHeads, cache); }));
    EXPECT_TRUE(makes(2 * kProduct, [&] { attention_backward(in.grad_output, cache); }));
  }
}

TEST(CountingLinearAttention, ReportsWhatItMakes) {
  const Inputs in;
  for (const AttentionMask& mask : masks()) {
    LinearAttentionCache cache;
    EXPECT_TRUE(reports_what_it_makes(
        [&] { linear_attention_forward(in.query, in.key, in.value, mask, kHeads, cache); }));
    EXPECT_TRUE(reports_what_it_makes([&] { linear_attention_backward(in.grad_output, cache); }));
  }
}

TEST(CountingAdditiveAttention, ReportsWhatItMakes) {
  const Tensor query = random_tensor({2, 4, 5}, 1), key = random_tensor({2, 7, 5}, 2),
               value = random_tensor({2, 7, 3}, 3), grad_output = random_tensor({2, 4, 3}, 4);
  AdditiveAttention attention(5, 6);
  for (const AttentionMask& mask : masks()) {
    AdditiveAttention::Cache cache;
    EXPECT_TRUE(reports_what_it_makes([&] { attention.forward(query, key, value, mask, cache); }));
    EXPECT_TRUE(reports_what_it_makes([&] { attention.backward(grad_output, cache); }));
  }
}

// A window alone, and with global positions, fewer and more than there are.
TEST(CountingNeighborAttention, ReportsWhatItMakes) {
  const Tensor x = random_tensor({2, 9, kHeads * kDk}, 1), value = random_tensor({2, 9, kHeads * kDv}, 2);
  for (const bool causal : {false, true})
    for (const Index global : {0, 2, 9, 11}) {
      const NeighborMask mask = {.key_lengths = {9, 6}, .neighbors = 5, .causal = causal, .global = global};
      NeighborAttentionCache cache;
      EXPECT_TRUE(reports_what_it_makes([&] {
        neighbor_attention_forward(x, x, value, mask, kHeads, cache);
      })) << global;
      EXPECT_TRUE(reports_what_it_makes([&] { neighbor_attention_backward(value, cache); })) << global;
    }
}

}  // namespace
}  // namespace plainformer
