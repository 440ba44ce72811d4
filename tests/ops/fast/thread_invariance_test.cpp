// The fast way of each operation, on tensors large enough to be shared out, gives the same bits for any
// number of threads. (The products of matrices are tested so in matmul_test.cpp, and equation (1) in
// scaled_dot_product_attention_test.cpp; R-Drop in a test of its own.)
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "core/thread_pool.h"
#include "ops/adam.h"
#include "ops/cross_entropy.h"
#include "ops/elementwise.h"
#include "ops/embedding_lookup.h"
#include "ops/fast/cached_attention.h"
#include "ops/fast/prepared_matrix.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "ops/reductions.h"
#include "ops/ways.h"
#include "support/tensors.h"
#include "training/r_drop.h"

namespace plainformer {
namespace {

// 301 rows of 203: some 61,000 elements, four times what one thread takes at least, and no round numbers.
constexpr Index kRows = 301, kColumns = 203;

class OpsThreadInvariance : public testing::Test {
 protected:
  void TearDown() override { set_threads(threads_before_); }

  // Do all the tensors that `operation` returns have the same bits with 1, 2, 3 and 7 threads?
  static testing::AssertionResult holds(const std::function<std::vector<Tensor>()>& operation) {
    set_threads(1);
    const std::vector<Tensor> expected = operation();
    for (int count : {2, 3, 7}) {
      set_threads(count);
      const std::vector<Tensor> actual = operation();
      for (std::size_t i = 0; i < expected.size(); ++i)
        if (!same_bits(actual[i], expected[i]))
          return testing::AssertionFailure() << "result " << i << " differs with " << count << " threads";
    }
    return testing::AssertionSuccess();
  }

  // A double, without loss: the 53 bits of its fraction have room in three floats.
  static Tensor bits_of(double value) {
    Tensor parts({3});
    for (Index i = 0; i < 3; ++i) {
      parts.mutable_data()[i] = static_cast<Real>(value);
      value -= double(parts.data()[i]);
    }
    return parts;
  }

  static std::vector<int> targets() {
    std::vector<int> targets(kRows);
    for (Index i = 0; i < kRows; ++i) targets[i] = i % 5 == 0 ? kNoTarget : static_cast<int>(i % 67);
    return targets;
  }

  const Tensor x = random_tensor({kRows, kColumns}, 1), y = random_tensor({kRows, kColumns}, 2);

 private:
  const WaysInScope fast_{plain_ways("none", "test")};
  const int threads_before_ = threads();
};

TEST_F(OpsThreadInvariance, Elementwise) {
  EXPECT_TRUE(holds([&] { return std::vector{add(x, y), scale(x, 3)}; }));
}

TEST_F(OpsThreadInvariance, Relu) {
  EXPECT_TRUE(holds([&] { return std::vector{relu_forward(x), relu_backward(y, x)}; }));
}

TEST_F(OpsThreadInvariance, Dropout) {
  const RandomStream stream = random_stream(1, 2, 3);
  const Real probability = static_cast<Real>(0.3);
  EXPECT_TRUE(holds([&] {
    return std::vector{dropout_forward(x, probability, stream), dropout_backward(y, probability, stream)};
  }));
}

TEST_F(OpsThreadInvariance, LayerNorm) {
  EXPECT_TRUE(holds([&] {
    Parameter gain = random_parameter({kColumns}, 3), bias = random_parameter({kColumns}, 4);
    LayerNormCache cache;
    const Tensor output = layer_norm_forward(x, gain, bias, static_cast<Real>(1e-6), cache);
    const Tensor grad_x = layer_norm_backward(y, cache, gain, bias);
    return std::vector<Tensor>{output, grad_x, gain.grad, bias.grad};
  }));
}

TEST_F(OpsThreadInvariance, AddRows) {
  const Tensor batch = random_tensor({7, 43, kColumns}, 5);
  EXPECT_TRUE(holds([&] {
    Tensor grad_rows = x;
    add_rows_backward(batch, grad_rows, 11);
    return std::vector{add_rows_forward(batch, x, 11), grad_rows};
  }));
}

TEST_F(OpsThreadInvariance, Linear) {
  constexpr Index kOut = 307;
  const Tensor grad_y = random_tensor({kRows, kOut}, 5);
  EXPECT_TRUE(holds([&] {
    Parameter w = random_parameter({kColumns, kOut}, 3), b = random_parameter({kOut}, 4);
    const Tensor output = linear_bias_forward(x, w, b);
    const Tensor grad_x = linear_bias_backward(grad_y, x, w, b);
    return std::vector<Tensor>{output, grad_x, w.grad, b.grad};
  }));
}

TEST_F(OpsThreadInvariance, LinearWithAPreparedMatrix) {
  constexpr Index kOut = 307;
  const Tensor w = random_tensor({kColumns, kOut}, 3), transposed = random_tensor({kOut, kColumns}, 4);
  EXPECT_TRUE(holds([&] {
    return std::vector{prepared_linear_forward(x, PreparedMatrix(w, Transpose::kNo)),
                       prepared_linear_forward(x, PreparedMatrix(transposed, Transpose::kYes))};
  }));
}

TEST_F(OpsThreadInvariance, LinearTransposed) {
  constexpr Index kOut = 307;
  const Tensor grad_y = random_tensor({kRows, kOut}, 5);
  EXPECT_TRUE(holds([&] {
    Parameter w = random_parameter({kOut, kColumns}, 3);
    const Tensor output = linear_transposed_forward(x, w);
    const Tensor grad_x = linear_transposed_backward(grad_y, x, w);
    return std::vector<Tensor>{output, grad_x, w.grad};
  }));
}

// Forty groups of 7 queries, each query with positions of its own.
TEST_F(OpsThreadInvariance, CachedAttention) {
  constexpr Index kGroups = 40, kQueries = 7, kPositions = 50, kWidth = 64;
  std::vector<Index> all(kPositions);
  std::iota(all.begin(), all.end(), Index{0});
  const Tensor query = random_tensor({kGroups * kQueries, 1, kWidth}, 3);
  std::vector<QueryGroup> groups;
  std::vector<VisiblePositions> visible;
  for (Index i = 0; i < kGroups; ++i) {
    groups.push_back({.first_row = i * kQueries,
                      .rows = kQueries,
                      .keys = {x.data() + i, kWidth, kPositions, kColumns},
                      .values = {y.data() + i * kColumns, kPositions, kWidth, kColumns}});
    for (Index row = 1; row <= kQueries; ++row) visible.push_back(std::span(all).first(7 * row));
  }
  EXPECT_TRUE(holds([&] { return std::vector{cached_attention(query, groups, visible, 2)}; }));
}

TEST_F(OpsThreadInvariance, EmbeddingLookup) {
  std::vector<int> ids(kRows);
  for (Index i = 0; i < kRows; ++i) ids[i] = static_cast<int>(i * i % 11);  // the same rows again and again
  EXPECT_TRUE(holds([&] {
    Parameter table = random_parameter({11, kColumns}, 3);
    const Tensor output = embedding_lookup_forward(ids, table);
    embedding_lookup_backward(y, ids, table);
    return std::vector<Tensor>{output, table.grad};
  }));
}

TEST_F(OpsThreadInvariance, ProjectedCrossEntropy) {
  EXPECT_TRUE(holds([&] {
    Parameter table = random_parameter({67, kColumns}, 3);
    Tensor grad_x;
    const CrossEntropy alone = projected_cross_entropy_forward(x, table, targets(), 0.1);
    const CrossEntropy both = projected_cross_entropy_forward_backward(1, x, table, targets(), 0.1, grad_x);
    return std::vector<Tensor>{bits_of(alone.loss),
                               bits_of(alone.log_probability),
                               bits_of(both.loss),
                               bits_of(both.log_probability),
                               grad_x,
                               table.grad};
  }));
}

TEST_F(OpsThreadInvariance, LogSumExp) {
  EXPECT_TRUE(holds([&] { return std::vector{log_sum_exp(x)}; }));
}

TEST_F(OpsThreadInvariance, TopK) {
  EXPECT_TRUE(holds([&] {
    const TopK top = top_k(x, 3, 5);
    return std::vector{tensor({kRows, 5}, {top.columns.begin(), top.columns.end()}),
                       tensor({kRows, 5}, {top.values.begin(), top.values.end()})};
  }));
}

TEST_F(OpsThreadInvariance, TopKAndLogSumExp) {
  EXPECT_TRUE(holds([&] {
    const auto [top, log_sums] = top_k_and_log_sum_exp(x, 3, 5);
    return std::vector{tensor({kRows, 5}, {top.columns.begin(), top.columns.end()}),
                       tensor({kRows, 5}, {top.values.begin(), top.values.end()}), log_sums};
  }));
}

TEST_F(OpsThreadInvariance, SumOfSquares) {
  EXPECT_TRUE(holds([&] { return std::vector{bits_of(sum_of_squares(x))}; }));
}

TEST_F(OpsThreadInvariance, AdamUpdate) {
  const AdamUpdate update = {.t = 3, .learning_rate = 0.1, .grad_scale = 0.5};
  EXPECT_TRUE(holds([&] {
    Parameter parameter(x);
    parameter.grad = y;
    Tensor first_moment = y, second_moment = Tensor::filled(x.shape(), 1);
    adam_update(parameter, first_moment, second_moment, AdamOptions(), update);
    return std::vector{parameter.value, first_moment, second_moment};
  }));
}

}  // namespace
}  // namespace plainformer
