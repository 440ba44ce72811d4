// The fast way of each operation, on tensors large enough to be shared out, gives the same bits for any
// number of threads; and tasks are shared out once each. (The products of matrices are tested so in
// matmul_test.cpp, and equation (1) in promises/thread_and_batch_invariance_test.cpp; R-Drop in its own.)
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <numeric>
#include <thread>

#include "core/thread_pool.h"
#include "ops/adam.h"
#include "ops/cross_entropy.h"
#include "ops/elementwise.h"
#include "ops/fast/cached_attention.h"
#include "ops/fast/fast.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "ops/reductions.h"
#include "ops/ways.h"
#include "support/own_way.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// 301 rows of 203: some 61,000 elements, four times what one thread takes at least, and no round numbers.
constexpr Index kManyRows = 301, kManyColumns = 203, kOut = 307;

Tensor input(std::uint64_t seed) {
  return random_tensor({kManyRows, kManyColumns}, seed);
}

struct Operation {
  const char* name;
  Tensors (*run)();
};

Tensors elementwise() {
  const Tensor x = input(1), y = input(2);
  const RandomStream stream = random_stream(1, 2, 3);
  const Real probability = static_cast<Real>(0.3);
  return {add(x, y), relu_forward(x), relu_backward(y, x), dropout_forward(x, probability, stream),
          dropout_backward(y, probability, stream)};
}

Tensors norm() {
  Parameter gain = random_parameter({kManyColumns}, 3), bias = random_parameter({kManyColumns}, 4);
  LayerNormCache cache;
  const Tensor output = layer_norm_forward(input(1), gain, bias, static_cast<Real>(1e-6), cache);
  const Tensor grad_x = layer_norm_backward(input(2), cache, gain, bias);
  return {output, grad_x, gain.grad, bias.grad};
}

Tensors linear() {
  const Tensor x = input(1), grad_y = random_tensor({kManyRows, kOut}, 5);
  Parameter w = random_parameter({kManyColumns, kOut}, 3), b = random_parameter({kOut}, 4);
  Parameter transposed = random_parameter({kOut, kManyColumns}, 3);
  Tensors results = {linear_bias_forward(x, w, b), linear_bias_backward(grad_y, x, w, b),
                     linear_transposed_forward(x, transposed),
                     linear_transposed_backward(grad_y, x, transposed),
                     PreparedMatrix(w.value, Transpose::kNo).product(x)};
  results.insert(results.end(), {w.grad, b.grad, transposed.grad});
  return results;
}

// Forty groups of 7 queries, each query with positions of its own.
Tensors cached() {
  constexpr Index kGroups = 40, kQueries = 7, kPositions = 50, kWidth = 64;
  const Tensor x = input(1), y = input(2);
  std::vector<Index> all(kPositions);
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<QueryGroup> groups;
  std::vector<VisiblePositions> visible;
  for (Index i = 0; i < kGroups; ++i) {
    groups.push_back({.first_row = i * kQueries,
                      .rows = kQueries,
                      .keys = {x.data() + i, kWidth, kPositions, kManyColumns},
                      .values = {y.data() + i * kManyColumns, kPositions, kWidth, kManyColumns}});
    for (Index row = 1; row <= kQueries; ++row) visible.push_back(std::span(all).first(7 * row));
  }
  return {cached_attention(random_tensor({kGroups * kQueries, 1, kWidth}, 3), groups, visible, 2)};
}

Tensors loss() {
  const Tensor x = input(1);
  Parameter table = random_parameter({67, kManyColumns}, 3);
  std::vector<int> targets(kManyRows);
  for (Index i = 0; i < kManyRows; ++i) targets[i] = i % 5 == 0 ? kNoTarget : static_cast<int>(i % 67);
  Tensor grad_x;
  const CrossEntropy alone = projected_cross_entropy_forward(x, table, targets, 0.1);
  const CrossEntropy both = projected_cross_entropy_forward_backward(1, x, table, targets, 0.1, grad_x);
  return {parts_of(alone.loss),
          parts_of(alone.log_probability),
          parts_of(both.loss),
          parts_of(both.log_probability),
          grad_x,
          table.grad};
}

Tensors reductions() {
  const Tensor x = input(1);
  const auto [top, log_sums] = top_k_and_log_sum_exp(x, 3, 5);
  return {log_sum_exp(x), parts_of(sum_of_squares(x)), log_sums,
          tensor({kManyRows, 5}, {top.columns.begin(), top.columns.end()}),
          tensor({kManyRows, 5}, {top.values.begin(), top.values.end()})};
}

Tensors adam() {
  Parameter parameter(input(1));
  parameter.grad = input(2);
  Tensor first_moment = input(2), second_moment = Tensor::filled(parameter.grad.shape(), 1);
  adam_update(parameter, first_moment, second_moment, AdamOptions(),
              {.t = 3, .learning_rate = 0.1, .grad_scale = 0.5});
  return {parameter.value, first_moment, second_moment};
}

class FastOps : public testing::Test {
 protected:
  void TearDown() override { set_threads(threads_before_); }

 private:
  const WaysInScope fast_{plain_ways("none", "test")};
  const int threads_before_ = threads();
};

TEST_F(FastOps, GiveTheSameBitsForAnyNumberOfThreads) {
  for (const Operation& operation : {Operation{"elementwise", elementwise},
                                     {"layer norm", norm},
                                     {"linear", linear},
                                     {"cached", cached},
                                     {"loss", loss},
                                     {"reductions", reductions},
                                     {"adam", adam}}) {
    set_threads(1);
    const Tensors expected = operation.run();
    for (int count : {2, 3, 7}) {
      set_threads(count);
      const Tensors actual = operation.run();
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(same_bits(actual[i], expected[i]))
            << operation.name << ": result " << i << " with " << count << " threads";
    }
  }
}

TEST_F(FastOps, ForEachTaskCallsEachIndexOnceForAnyNumberOfThreads) {
  for (const int count : {1, 2, 3, 8}) {
    set_threads(count);
    for (const Index tasks : {0, 1, 3, 20}) {
      std::vector<std::atomic<int>> calls(tasks);
      fast::for_each_task(tasks, [&](Index i) { ++calls[i]; });
      for (const auto& each : calls) EXPECT_EQ(each, 1) << count << " threads, " << tasks << " tasks";
    }
  }
}

TEST_F(FastOps, ForEachTaskBeginsNoOtherTaskAfterAnException) {
  struct Stopped {};
  set_threads(2);
  std::atomic<int> calls = 0;
  const auto body = [&](Index i) {
    ++calls;
    while (i == 0 && calls < 2) std::this_thread::yield();  // until the other thread works, too
    if (i == 0) throw Stopped();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  EXPECT_THROW(fast::for_each_task(100, body), Stopped);
  EXPECT_LT(calls, 100);  // the other thread would have gone on to the last
}

}  // namespace
}  // namespace plainformer
