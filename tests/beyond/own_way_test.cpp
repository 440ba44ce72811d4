#include "support/own_way.h"

#include "beyond/fast/fast.h"

namespace plainformer {
namespace {

TEST_F(OwnWay, LinearAttention) {
  const Tensor query = random_tensor({2, 9, 12}, 1), key = random_tensor({2, 11, 12}, 2);
  const auto run = [&](auto* forward) {
    LinearAttentionCache cache;
    return forward(query, key, key, {.key_lengths = {11, 7}}, 3, cache);
  };
  expect_own_way("attention", run, linear_attention_forward, fast::linear_attention_forward);
}

TEST_F(OwnWay, NeighborAttention) {
  const Tensor query = random_tensor({2, 11, 12}, 1), key = random_tensor({2, 11, 12}, 2);
  const auto run = [&](auto* forward) {
    NeighborAttentionCache cache;
    return forward(query, key, key, {.key_lengths = {11, 7}, .neighbors = 5}, 3, cache);
  };
  expect_own_way("attention", run, neighbor_attention_forward, fast::neighbor_attention_forward);
}

TEST_F(OwnWay, RDrop) {
  const Tensor both = random_tensor({2, 15, 203}, 3);
  const std::vector<int> targets(15, 5);
  const auto run = [&](auto* forward_backward) {
    Parameter table = random_parameter({67, 203}, 4);
    Tensor grad_x;
    forward_backward(1, {.alpha = 5, .smoothing = 0.1}, both, table, targets, grad_x);
    return grad_x;
  };
  expect_own_way("cross_entropy", run, r_drop_forward_backward, fast::r_drop_forward_backward);
}

TEST_F(OwnWay, AttentionRegularization) {
  const AttentionRegularization regularization = {.weight_dropout = Real(0.3), .head_dropout = Real(0.2)};
  const Tensor weights = random_tensor({2, 3, 11, 7}, 1);
  const auto run = [&](auto* drop) { return drop(weights, regularization); };
  expect_own_way("attention", run, drop_weights, fast::drop_weights);
}

}  // namespace
}  // namespace plainformer
