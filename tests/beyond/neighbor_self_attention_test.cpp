#include "beyond/neighbor_self_attention.h"

#include <gtest/gtest.h>

#include "beyond/layer_checks.h"

namespace plainformer {
namespace {

// The layer as one of x alone.
struct WithMask {
  using Cache = NeighborSelfAttention::Cache;
  NeighborSelfAttention layer;
  NeighborMask mask;

  Tensor forward(const Tensor& x, Cache& cache) const { return layer.forward(x, mask, cache); }
  Tensor backward(const Tensor& grad_output, const Cache& cache) {
    return layer.backward(grad_output, cache);
  }
  void append_parameters(const std::string& prefix, ParameterList& list) {
    layer.append_parameters(prefix, list);
  }
};

// Keys 0: equal weights. W^V doubles, W^O exchanges the two heads of width 1.
TEST(NeighborSelfAttention, ByHand) {
  NeighborSelfAttention layer(2, 2);
  layer.w_q.value = tensor({2, 2}, {1, 0, 0, 1});
  layer.w_v.value = tensor({2, 2}, {2, 0, 0, 2});
  layer.w_o.value = tensor({2, 2}, {0, 1, 1, 0});
  NeighborSelfAttention::Cache cache;
  const Tensor output = layer.forward(tensor({1, 3, 2}, {1, 10, 3, 30, 8, 20}),
                                      {.key_lengths = {3}, .neighbors = 2, .causal = true}, cache);
  EXPECT_TRUE(near(cache.concat, {1, 3, 2}, {2, 20, 4, 40, 11, 50}, 1e-5));
  EXPECT_TRUE(near(output, {1, 3, 2}, {20, 2, 40, 4, 50, 11}, 1e-5));
}

TEST(NeighborSelfAttention, ACausalWindowSeesNoLaterPosition) {
  const WithMask causal = {NeighborSelfAttention(6, 2),
                           {.key_lengths = {7, 7}, .neighbors = 3, .causal = true}};
  EXPECT_TRUE(sees_no_later_position(causal, {2, 7, 6}, 4));
}

TEST(NeighborSelfAttention, NamesItsParameters) {
  EXPECT_EQ(names_and_shapes(NeighborSelfAttention(6, 3)),
            (std::vector<std::string>{"layer.w_q [6, 6]", "layer.w_k [6, 6]", "layer.w_v [6, 6]",
                                      "layer.w_o [6, 6]"}));
}

// Four projections, and 2 d for each pair of a query and a key that it sees. 3 neighbors of 7 positions are
// 3 * 7 - 2 pairs. One global position makes 7 more, and each other query sees it: 1 is its neighbor already,
// so 5 more.
TEST(NeighborSelfAttention, MakesRProductsAPositionInFiveOperations) {
  const Tensor x = random_tensor({2, 7, 6}, 1);
  const std::int64_t projections = 4 * 2 * 7 * 6 * 6;
  NeighborSelfAttention layer(6, 2);
  NeighborSelfAttention::Cache cache;
  EXPECT_EQ(work_of([&] {
              layer.forward(x, {.key_lengths = {7, 7}, .neighbors = 3}, cache);
            }),
            (Work{projections + 2 * 2 * 6 * (3 * 7 - 2), 5}));
  EXPECT_EQ(work_of([&] {
              layer.forward(x, {.key_lengths = {7, 7}, .neighbors = 3, .causal = false, .global = 1}, cache);
            }),
            (Work{projections + 2 * 2 * 6 * ((3 * 7 - 2) + (7 - 2) + 5), 5}));
}

TEST(NeighborSelfAttention, RefusesOtherShapesAndHeads) {
  EXPECT_THROW(NeighborSelfAttention(6, 4), std::logic_error);
  EXPECT_THROW(NeighborSelfAttention(6, 0), std::logic_error);
  NeighborSelfAttention layer(6, 2);
  NeighborSelfAttention::Cache cache;
  EXPECT_THROW(layer.forward(Tensor({2, 5, 4}), {.key_lengths = {5, 5}}, cache), std::logic_error);
  EXPECT_THROW(layer.forward(Tensor({2, 5, 6}), {.key_lengths = {5}}, cache), std::logic_error);
  layer.forward(Tensor::zeros({2, 5, 6}), {.key_lengths = {5, 5}}, cache);
  EXPECT_THROW(layer.backward(Tensor::zeros({5, 2, 6}), cache), std::logic_error);
}

GRADIENT_TEST(NeighborSelfAttention, Gradient) {
  const WithMask layer = {NeighborSelfAttention(6, 2),
                          {.key_lengths = {5, 3}, .neighbors = 3, .causal = false, .global = 1}};
  EXPECT_TRUE(layer_gradients_agree(layer, {2, 5, 6}));
}

}  // namespace
}  // namespace plainformer
