// Each operation goes the way that is chosen under its own name. The bits show which way it went, because the
// two round differently. (Not here: operations whose two ways give the same bits.)
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "ops/fast/fast.h"
#include "ops/operations.h"
#include "ops/plain/plain.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

using Tensors = std::vector<Tensor>;

bool same_bits(const Tensors& x, const Tensors& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!plainformer::same_bits(x[i], y[i])) return false;
  return x.size() == y.size();
}

// A double as a tensor: rounded, and what that left out.
Tensor parts_of(double value) {
  const Real rounded = static_cast<Real>(value);
  return tensor({2}, {rounded, value - static_cast<double>(rounded)});
}

class Seam : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels().name == std::string("scalar")) GTEST_SKIP() << "scalar kernels round as the plain way does";
  }

  // Does the operation go the plain way under its name alone, and the fast way when all others are plain?
  static void expect_own_way(const std::string& name, const Tensors& plain, const Tensors& fast,
                             const std::function<Tensors()>& seam) {
    ASSERT_FALSE(same_bits(plain, fast)) << name << ": these inputs do not tell the two ways apart";
    {
      const WaysInScope alone(plain_ways(name, "test"));
      EXPECT_TRUE(same_bits(seam(), plain)) << name;
    }
    Ways others = plain_ways("all", "test");
    const Ways its_own = plain_ways(name, "test");
    for (Way Ways::*way : {&Ways::adam, &Ways::attention, &Ways::cross_entropy, &Ways::dropout,
                           &Ways::layer_norm, &Ways::linear, &Ways::linear_attention, &Ways::log_sum_exp,
                           &Ways::neighbor_attention, &Ways::r_drop, &Ways::sum_of_squares})
      if (its_own.*way == Way::kPlain) others.*way = Way::kFast;
    const WaysInScope all_others(others);
    EXPECT_TRUE(same_bits(seam(), fast)) << name;
  }

  const WaysInScope fast_otherwise_{plain_ways("none", "test")};  // for the operations that an operation uses
  const Tensor x = random_tensor({31, 203}, 1), y = random_tensor({31, 203}, 2);
};

TEST_F(Seam, Adam) {
  const auto run = [&](auto* update) {
    Parameter parameter(x);
    parameter.grad = y;
    Tensor first = y, second = Tensor::filled(x.shape(), 1);
    update(parameter, first, second,
           {.learning_rate = 0.1, .beta_1 = 0.9, .beta_2 = 0.98, .epsilon = 1e-9, .t = 3});
    return Tensors{parameter.value, first, second};
  };
  expect_own_way("adam", run(plain::adam_update), run(fast::adam_update), [&] { return run(adam_update); });
}

TEST_F(Seam, Attention) {
  const Tensor query = random_tensor({2, 9, 12}, 1), key = random_tensor({2, 11, 12}, 2);
  const auto run = [&](auto* forward) {
    AttentionCache cache;
    return Tensors{forward(query, key, key, {.key_lengths = {11, 7}}, 3, cache)};
  };
  expect_own_way("attention", run(plain::attention_forward), run(fast::attention_forward),
                 [&] { return run(attention_forward); });
}

TEST_F(Seam, CrossEntropy) {
  const std::vector<int> targets(31, 5);
  Parameter table = random_parameter({67, 203}, 3);
  const auto loss = [&](auto* forward) { return Tensors{parts_of(forward(x, table, targets, 0.1).loss)}; };
  expect_own_way("cross_entropy", loss(plain::projected_cross_entropy_forward),
                 loss(fast::projected_cross_entropy_forward),
                 [&] { return loss(projected_cross_entropy_forward); });
  const auto gradient = [&](auto* forward_backward) {
    Tensor grad_x;
    forward_backward(1, x, table, targets, 0.1, grad_x);
    return Tensors{grad_x};
  };
  expect_own_way("cross_entropy", gradient(plain::projected_cross_entropy_forward_backward),
                 gradient(fast::projected_cross_entropy_forward_backward),
                 [&] { return gradient(projected_cross_entropy_forward_backward); });
}

TEST_F(Seam, Dropout) {
  const RandomStream stream = random_stream(1, 2, 3);
  const auto run = [&](auto* function) { return Tensors{function(x, Real(0.3), stream)}; };
  expect_own_way("dropout", run(plain::dropout_forward), run(fast::dropout_forward),
                 [&] { return run(dropout_forward); });
  expect_own_way("dropout", run(plain::dropout_backward), run(fast::dropout_backward),
                 [&] { return run(dropout_backward); });
}

TEST_F(Seam, LayerNorm) {
  Parameter gain = random_parameter({203}, 3), bias = random_parameter({203}, 4);
  const auto forward = [&](auto* function) {
    LayerNormCache cache;
    return Tensors{function(x, gain, bias, Real(1e-6), cache)};
  };
  expect_own_way("layer_norm", forward(plain::layer_norm_forward), forward(fast::layer_norm_forward),
                 [&] { return forward(layer_norm_forward); });
  LayerNormCache cache;
  plain::layer_norm_forward(x, gain, bias, Real(1e-6), cache);
  const auto backward = [&](auto* function) { return Tensors{function(y, cache, gain, bias)}; };
  expect_own_way("layer_norm", backward(plain::layer_norm_backward), backward(fast::layer_norm_backward),
                 [&] { return backward(layer_norm_backward); });
}

TEST_F(Seam, Linear) {
  Parameter w = random_parameter({203, 17}, 3), b = random_parameter({17}, 4),
            t = random_parameter({17, 203}, 5);
  const Tensor grad_y = random_tensor({31, 17}, 6);
  const auto expect = [&](const auto& run, auto* plain, auto* fast, auto* seam) {
    expect_own_way("linear", {run(plain)}, {run(fast)}, [&] { return Tensors{run(seam)}; });
  };
  expect([&](auto* f) { return f(x, w); }, plain::linear_forward, fast::linear_forward, linear_forward);
  expect([&](auto* f) { return f(grad_y, x, w); }, plain::linear_backward, fast::linear_backward,
         linear_backward);
  expect([&](auto* f) { return f(x, w, b); }, plain::linear_bias_forward, fast::linear_bias_forward,
         linear_bias_forward);
  expect([&](auto* f) { return f(grad_y, x, w, b); }, plain::linear_bias_backward, fast::linear_bias_backward,
         linear_bias_backward);
  expect([&](auto* f) { return f(x, t); }, plain::linear_transposed_forward, fast::linear_transposed_forward,
         linear_transposed_forward);
  expect([&](auto* f) { return f(grad_y, x, t); }, plain::linear_transposed_backward,
         fast::linear_transposed_backward, linear_transposed_backward);
}

TEST_F(Seam, LinearAttention) {
  const Tensor query = random_tensor({2, 9, 12}, 1), key = random_tensor({2, 11, 12}, 2);
  const auto run = [&](auto* forward) {
    LinearAttentionCache cache;
    return Tensors{forward(query, key, key, {.key_lengths = {11, 7}}, 3, cache)};
  };
  expect_own_way("linear_attention", run(plain::linear_attention_forward),
                 run(fast::linear_attention_forward), [&] { return run(linear_attention_forward); });
}

TEST_F(Seam, LogSumExp) {
  const Tensor many = random_tensor({3000, 203}, 1);
  const auto run = [&](auto* function) { return Tensors{function(many)}; };
  expect_own_way("log_sum_exp", run(plain::log_sum_exp), run(fast::log_sum_exp),
                 [&] { return run(log_sum_exp); });
}

TEST_F(Seam, NeighborAttention) {
  const Tensor query = random_tensor({2, 11, 12}, 1), key = random_tensor({2, 11, 12}, 2);
  const auto run = [&](auto* forward) {
    NeighborAttentionCache cache;
    return Tensors{forward(query, key, key, {.key_lengths = {11, 7}, .neighbors = 5}, 3, cache)};
  };
  expect_own_way("neighbor_attention", run(plain::neighbor_attention_forward),
                 run(fast::neighbor_attention_forward), [&] { return run(neighbor_attention_forward); });
}

TEST_F(Seam, RDrop) {
  const Tensor both = random_tensor({2, 15, 203}, 3);
  const std::vector<int> targets(15, 5);
  const auto run = [&](auto* forward_backward) {
    Parameter table = random_parameter({67, 203}, 4);
    Tensor grad_x;
    forward_backward(1, {.alpha = 5, .smoothing = 0.1}, both, table, targets, grad_x);
    return Tensors{grad_x};
  };
  expect_own_way("r_drop", run(plain::r_drop_forward_backward), run(fast::r_drop_forward_backward),
                 [&] { return run(r_drop_forward_backward); });
}

TEST_F(Seam, SumOfSquares) {
  const Tensor many = random_tensor({40'000}, 1);
  const auto run = [&](auto* function) { return Tensors{parts_of(function(many))}; };
  expect_own_way("sum_of_squares", run(plain::sum_of_squares), run(fast::sum_of_squares),
                 [&] { return run(sum_of_squares); });
}

}  // namespace
}  // namespace plainformer
