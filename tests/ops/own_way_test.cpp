#include "support/own_way.h"

#include "ops/adam.h"
#include "ops/fast/fast.h"
#include "support/attention.h"

namespace plainformer {
namespace {

TEST_F(OwnWay, Adam) {
  const auto run = [&](auto* update) {
    Parameter parameter(x);
    parameter.grad = y;
    Tensor first = y, second = Tensor::filled(x.shape(), 1);
    update(parameter, first, second, AdamOptions(), AdamUpdate{.t = 3, .learning_rate = 0.1});
    return Tensors{parameter.value, first, second};
  };
  expect_own_way("adam", run, adam_update, fast::adam_update);
}

using Attend = Tensor(const Tensor&, const Tensor&, const AttentionMask&);

Tensor attend_in_heads(const Tensor& query, const Tensor& key, const AttentionMask& mask) {
  MultiHeadAttention::Cache not_kept;
  return heads_of(3, query, key).attend(query, key, key, mask, not_kept);
}

Tensor attend_fast(const Tensor& query, const Tensor& key, const AttentionMask& mask) {
  fast::AttentionCache not_kept;
  return fast::attention_forward(query, key, key, mask, 3, not_kept);
}

TEST_F(OwnWay, Attention) {
  const Tensor query = random_tensor({2, 9, 12}, 1), key = random_tensor({2, 11, 12}, 2);
  const auto run = [&](Attend* attend) { return attend(query, key, {.key_lengths = {11, 7}}); };
  expect_own_way("attention", run, attend_in_heads, attend_fast);
}

TEST_F(OwnWay, CrossEntropy) {
  const std::vector<int> targets(31, 5);
  Parameter table = random_parameter({67, 203}, 3);
  const auto loss = [&](auto* forward) { return parts_of(forward(x, table, targets, 0.1).loss); };
  expect_own_way("cross_entropy", loss, projected_cross_entropy_forward,
                 fast::projected_cross_entropy_forward);
  const auto gradient = [&](auto* forward_backward) {
    Tensor grad_x;
    forward_backward(1, x, table, targets, 0.1, grad_x);
    return grad_x;
  };
  expect_own_way("cross_entropy", gradient, projected_cross_entropy_forward_backward,
                 fast::projected_cross_entropy_forward_backward);
}

TEST_F(OwnWay, Dropout) {
  const RandomStream stream = random_stream(1, 2, 3);
  const auto run = [&](auto* function) { return function(x, Real(0.3), stream); };
  expect_own_way("elementwise", run, dropout_forward, fast::dropout_forward);
  expect_own_way("elementwise", run, dropout_backward, fast::dropout_forward);
}

TEST_F(OwnWay, LayerNorm) {
  Parameter gain = random_parameter({203}, 3), bias = random_parameter({203}, 4);
  const auto forward = [&](auto* function) {
    LayerNormCache cache;
    return function(x, gain, bias, Real(1e-6), cache);
  };
  expect_own_way("layer_norm", forward, layer_norm_forward, fast::layer_norm_forward);
  LayerNormCache cache;
  layer_norm_forward(x, gain, bias, Real(1e-6), cache);
  const auto backward = [&](auto* function) { return function(y, cache, gain, bias); };
  expect_own_way("layer_norm", backward, layer_norm_backward, fast::layer_norm_backward);
}

TEST_F(OwnWay, Linear) {
  Parameter w = random_parameter({203, 17}, 3), b = random_parameter({17}, 4),
            t = random_parameter({17, 203}, 5);
  const Tensor grad_y = random_tensor({31, 17}, 6);
  const auto forward = [&](auto* f) { return f(x, w); };
  const auto backward = [&](auto* f) { return f(grad_y, x, w); };
  expect_own_way("linear", forward, linear_forward, fast::linear_forward);
  expect_own_way("linear", backward, linear_backward, fast::linear_backward);
  const auto bias_forward = [&](auto* f) { return f(x, w, b); };
  const auto bias_backward = [&](auto* f) { return f(grad_y, x, w, b); };
  expect_own_way("linear", bias_forward, linear_bias_forward, fast::linear_bias_forward);
  expect_own_way("linear", bias_backward, linear_bias_backward, fast::linear_bias_backward);
  const auto transposed_forward = [&](auto* f) { return f(x, t); };
  const auto transposed_backward = [&](auto* f) { return f(grad_y, x, t); };
  expect_own_way("linear", transposed_forward, linear_transposed_forward, fast::linear_transposed_forward);
  expect_own_way("linear", transposed_backward, linear_transposed_backward, fast::linear_transposed_backward);
}

TEST_F(OwnWay, LogSumExp) {
  const Tensor many = random_tensor({3000, 203}, 1);
  expect_own_way(
      "decoding", [&](auto* function) { return function(many); }, log_sum_exp, fast::log_sum_exp);
}

TEST_F(OwnWay, TopKAndLogSumExp) {
  const Tensor many = random_tensor({3000, 203}, 1);
  const auto run = [&](auto* function) { return function(many, 2, 3).log_sums; };
  expect_own_way("decoding", run, top_k_and_log_sum_exp, fast::top_k_and_log_sum_exp);
}

TEST_F(OwnWay, SumOfSquares) {
  const Tensor many = random_tensor({40'000}, 1);
  const auto run = [&](auto* function) { return parts_of(function(many)); };
  expect_own_way("adam", run, sum_of_squares, fast::sum_of_squares);
}

}  // namespace
}  // namespace plainformer
