// Each operation counts the multiply-adds that it makes (core/multiply_adds.h). The numbers follow from the
// shapes by hand, whose extents are pairwise different.
#include "core/multiply_adds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "beyond/attention_regularization.h"
#include "beyond/linear_attention.h"
#include "beyond/neighbor_attention.h"
#include "beyond/r_drop.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"
#include "ops/dropout.h"
#include "ops/elementwise.h"
#include "ops/embedding_lookup.h"
#include "ops/fast/cached_attention.h"
#include "ops/fast/prepared_matrix.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "ops/log_sum_exp.h"
#include "ops/relu.h"
#include "ops/softmax.h"
#include "ops/sum_of_squares.h"
#include "support/tensors.h"
#include "training/adam.h"

namespace plainformer {
namespace {

std::int64_t made_by(const std::function<void()>& work) {
  const std::int64_t before = multiply_adds();
  work();
  return multiply_adds() - before;
}

Ways all_ways(Way way) {
  return plain_ways(way == Way::kPlain ? "all" : "none", "test");
}

class MultiplyAdds : public testing::TestWithParam<Way> {
 private:
  const WaysInScope in_scope_ = WaysInScope(all_ways(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(BothWays, MultiplyAdds, testing::Values(Way::kPlain, Way::kFast),
                         [](const auto& way) { return way.param == Way::kPlain ? "Plain" : "Fast"; });

TEST_P(MultiplyAdds, OfALinearLayer) {
  const Tensor x = random_tensor({2, 3, 5}, 1), grad_y = random_tensor({2, 3, 7}, 2);
  Parameter w = random_parameter({5, 7}, 3), b = random_parameter({7}, 4);
  const std::int64_t product = 2 * 3 * 5 * 7;
  EXPECT_EQ(made_by([&] { linear_forward(x, w); }), product);
  EXPECT_EQ(made_by([&] { linear_bias_forward(x, w, b); }), product);
  EXPECT_EQ(made_by([&] { linear_backward(grad_y, x, w); }), 2 * product);
  EXPECT_EQ(made_by([&] { linear_bias_backward(grad_y, x, w, b); }), 2 * product);
}

TEST_P(MultiplyAdds, OfATransposedLinearLayer) {
  const Tensor x = random_tensor({2, 3, 5}, 1), grad_y = random_tensor({2, 3, 7}, 2);
  Parameter w = random_parameter({7, 5}, 3);
  EXPECT_EQ(made_by([&] { linear_transposed_forward(x, w); }), 210);
  EXPECT_EQ(made_by([&] { linear_transposed_backward(grad_y, x, w); }), 420);
}

// Rows without a target are projected too. 2,050 rows are more than one block of the fast way.
TEST_P(MultiplyAdds, OfTheLoss) {
  const Tensor x = random_tensor({2050, 3}, 1);
  Parameter table = random_parameter({5, 3}, 2);
  std::vector<int> targets(2050, 4);
  targets[7] = kNoTarget;
  const std::int64_t product = 2050 * 3 * 5;
  EXPECT_EQ(made_by([&] { projected_cross_entropy_forward(x, table, targets, 0.1); }), product);
  Tensor grad_x;
  EXPECT_EQ(made_by([&] { projected_cross_entropy_forward_backward(1, x, table, targets, 0.1, grad_x); }),
            3 * product);
}

struct CountedAttention {
  Index query_len, key_len;
  AttentionMask mask;
  static constexpr Index kHeads = 3, kDk = 5, kDv = 2;

  std::vector<std::int64_t> forward_and_backward() const {
    const Index batch = mask.batch();
    const Tensor query = random_tensor({batch, query_len, kHeads * kDk}, 1);
    const Tensor key = random_tensor({batch, key_len, kHeads * kDk}, 2);
    const Tensor value = random_tensor({batch, key_len, kHeads * kDv}, 3);
    const Tensor grad_output = random_tensor({batch, query_len, kHeads * kDv}, 4);
    AttentionCache cache;
    return {made_by([&] { attention_forward(query, key, value, mask, kHeads, cache); }),
            made_by([&] { attention_backward(grad_output, cache); })};
  }
};

// 3 heads, d_k + d_v = 7. Forward makes a product for the scores and one for the averages; backward two for
// each of them, and in the fast way it computes the scores once more.
//   plain: 2 sentences of 4 queries and 7 keys      2 * 3 * 4 * 7 * 7 = 1176
//   fast: only the keys that are seen, 7 + 4        3 * 4 * 11 * 7 = 924
//         backward                                  3 * 4 * 11 * (3 * 5 + 2 * 2) = 2508
TEST_P(MultiplyAdds, OfAttentionWithPadding) {
  const CountedAttention padded = {4, 7, {.key_lengths = {7, 4}}};
  const bool plain = GetParam() == Way::kPlain;
  EXPECT_EQ(padded.forward_and_backward(),
            (plain ? std::vector<std::int64_t>{1176, 2352} : std::vector<std::int64_t>{924, 2508}));
}

TEST_P(MultiplyAdds, OfAttentionThatSeesNothing) {
  const CountedAttention nothing = {4, 7, {.key_lengths = {0}}};
  const bool plain = GetParam() == Way::kPlain;
  EXPECT_EQ(nothing.forward_and_backward(),
            (plain ? std::vector<std::int64_t>{588, 1176} : std::vector<std::int64_t>{0, 0}));
}

// Causal, the fast way multiplies up to the last key that a tile of queries sees.
TEST_P(MultiplyAdds, OfCausalAttention) {
  const CountedAttention causal = {70, 70, {.key_lengths = {70, 41}, .causal = true}};
  std::int64_t pairs = 2 * 70 * 70;
  std::vector<std::int64_t> products = {7, 14};  // of a pair of a query and a key
  if (GetParam() == Way::kFast) {
    products = {7, 3 * 5 + 2 * 2};
    pairs = 0;
    const Index tile = 32 / kernels().tile_rows * kernels().tile_rows;
    for (const Index key_len : causal.mask.key_lengths)
      for (Index query = 0; query < 70; ++query)
        pairs += std::min({key_len, (query / tile + 1) * tile, Index{70}});
  }
  EXPECT_EQ(causal.forward_and_backward(),
            (std::vector<std::int64_t>{3 * pairs * products[0], 3 * pairs * products[1]}));
}

// Regularized, both ways make the plain way's products: padded keys, too.
TEST_P(MultiplyAdds, OfRegularizedAttention) {
  const Tensor query = random_tensor({2, 4, 15}, 1), key = random_tensor({2, 7, 15}, 2),
               value = random_tensor({2, 7, 6}, 3), grad_output = random_tensor({2, 4, 6}, 4);
  AttentionCache cache;
  const auto hook = hook_of({.penalty = Real{0.5}, .query_lengths = {4, 4}});
  EXPECT_EQ(made_by([&] {
              attention_forward(query, key, value, {.key_lengths = {7, 4}}, 3, cache, hook);
            }),
            1176);
  EXPECT_EQ(made_by([&] { attention_backward(grad_output, cache); }), 2352);
}

// A window multiplies exactly the keys that it sees, in both ways: 3 for each of 70 positions, but 2 at each end;
// and in a sentence of 41, position 41 sees one and the later ones none.
TEST_P(MultiplyAdds, OfNeighborAttention) {
  constexpr Index kHeads = 3, kDk = 5, kDv = 2, kLen = 70;
  const Tensor x = random_tensor({2, kLen, kHeads * kDk}, 1),
               value = random_tensor({2, kLen, kHeads * kDv}, 2);
  NeighborAttentionCache cache;
  const std::int64_t pairs = kHeads * ((3 * 70 - 2) + (3 * 41 - 1));
  EXPECT_EQ(
      made_by([&] {
        neighbor_attention_forward(x, x, value, {.key_lengths = {70, 41}, .neighbors = 3}, kHeads, cache);
      }),
      pairs * (kDk + kDv));
  EXPECT_EQ(made_by([&] { neighbor_attention_backward(value, cache); }),
            pairs * (GetParam() == Way::kPlain ? 2 * kDk + 2 * kDv : 3 * kDk + 2 * kDv));
}

// 3 heads, d_k 5, d_v 2, 4 queries, 7 keys, of which 7 and 4 are seen: so 33 keys join S and z, for 24 queries. In
// the fast way z is a column of S.
//   plain: forward   33 * 5 * 2 + 24 * 5 * 3                                     690
//          backward  that, 24 * 5 * 3 for the gradients of S and z,
//                    and 2 * 5 * 2 for each of the 42 keys                       1890
//   fast: forward    (33 + 24) * 5 * 3                                           855
//         backward   S and z, their gradients and the queries', and twice the keys'
//                    (33 + 24 + 24 + 2 * 33) * 5 * 3                             2205
TEST_P(MultiplyAdds, OfLinearAttention) {
  const Tensor query = random_tensor({2, 4, 15}, 1), key = random_tensor({2, 7, 15}, 2),
               value = random_tensor({2, 7, 6}, 3), grad_output = random_tensor({2, 4, 6}, 4);
  LinearAttentionCache cache;
  const bool plain = GetParam() == Way::kPlain;
  EXPECT_EQ(made_by([&] {
              linear_attention_forward(query, key, value, {.key_lengths = {7, 4}}, 3, cache);
            }),
            plain ? 690 : 855);
  EXPECT_EQ(made_by([&] { linear_attention_backward(grad_output, cache); }), plain ? 1890 : 2205);
}

TEST_P(MultiplyAdds, LeaveOutElementWiseWork) {
  const Tensor x = random_tensor({2, 3, 5}, 1);
  Parameter gain = random_parameter({5}, 2), bias = random_parameter({5}, 3),
            table = random_parameter({7, 5}, 4);
  Tensor first_moment = Tensor::zeros({7, 5}), second_moment = Tensor::zeros({7, 5});
  const std::vector<int> ids = {6, 0, 3, 3, 1, 2};
  const std::vector<Index> counts = {5, 4, 3, 2, 1, 0};
  EXPECT_EQ(made_by([&] {
              LayerNormCache cache;
              layer_norm_forward(x, gain, bias, Real{1e-6f}, cache);
              layer_norm_backward(x, cache, gain, bias);
              softmax_backward(x, softmax_forward(x, counts), counts);
              relu_backward(x, relu_forward(x));
              dropout_forward(x, Real{0.5}, random_stream(1, 2, 3));
              scale(add(x, x), 3);
              log_sum_exp(x);
              sum_of_squares(x);
              embedding_lookup_backward(embedding_lookup_forward(ids, table), ids, table);
              adam_update(table, first_moment, second_moment, adam_step({.epsilon = 1}, 1, 1, 1));
            }),
            0);
}

// Decoding: 2 queries over 9 positions and 1 over 4, 3 heads of width 5, which is d_k and d_v.
TEST(MultiplyAddsOfDecoding, CountEveryKeptPosition) {
  constexpr Index kHeads = 3, kModel = 15;
  const Tensor query = random_tensor({3, 1, kModel}, 1);
  const Tensor keys = random_tensor({kModel, 9}, 2), values = random_tensor({9, kModel}, 3);
  const std::vector<QueryGroup> groups = {
      {0, 2, as_matrix(keys), as_matrix(values)},
      {2, 1, {keys.data(), kModel, 4, 9}, {values.data(), 4, kModel, kModel}}};
  const std::vector<Index> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<VisiblePositions> visible = {all, {all.data(), 3}, {all.data(), 4}};
  EXPECT_EQ(made_by([&] { cached_attention(query, groups, visible, kHeads); }),
            3 * (2 * 9 + 1 * 4) * (5 + 5));
}

TEST(MultiplyAddsOfDecoding, CountPreparedWeights) {
  const PreparedMatrix w(random_tensor({5, 7}, 1), Transpose::kNo);
  const Parameter b = random_parameter({7}, 2);
  EXPECT_EQ(made_by([&] { prepared_linear_forward(random_tensor({3, 1, 5}, 3), w); }), 3 * 5 * 7);
  EXPECT_EQ(made_by([&] { prepared_linear_bias_forward(random_tensor({3, 1, 5}, 3), w, b); }), 3 * 5 * 7);
}

// Large enough that the threads share it.
TEST(MultiplyAddsOfThreads, AreTheSameForAnyNumber) {
  const int threads_before = threads();
  const WaysInScope fast(all_ways(Way::kFast));
  const Tensor x = random_tensor({129, 131}, 1);
  const Parameter w = random_parameter({131, 257}, 2);
  const CountedAttention attention = {130, 130, {.key_lengths = {130, 99, 1}, .causal = true}};
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    EXPECT_EQ(made_by([&] { linear_forward(x, w); }), 129 * 131 * 257) << count;
    const auto with_this_count = attention.forward_and_backward();
    set_threads(1);
    EXPECT_EQ(with_this_count, attention.forward_and_backward()) << count;
  }
  set_threads(threads_before);
}

}  // namespace
}  // namespace plainformer
