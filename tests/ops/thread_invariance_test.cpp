// Each operation, on tensors large enough to be shared out, gives the same bits for any number of threads.
#include <gtest/gtest.h>

#include <functional>

#include "core/thread_pool.h"
#include "ops/batched_matmul.h"
#include "ops/cross_entropy.h"
#include "ops/dropout.h"
#include "ops/elementwise.h"
#include "ops/embedding_lookup.h"
#include "ops/layer_norm.h"
#include "ops/linear.h"
#include "ops/relu.h"
#include "ops/softmax.h"
#include "ops/swap_axes.h"
#include "tensors.h"

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

  const Tensor x = random_tensor({kRows, kColumns}, 1), y = random_tensor({kRows, kColumns}, 2);

 private:
  const int threads_before_ = threads();
};

TEST_F(OpsThreadInvariance, Elementwise) {
  EXPECT_TRUE(holds([&] { return std::vector{add(x, y), scale(x, 3)}; }));
}

TEST_F(OpsThreadInvariance, Relu) {
  EXPECT_TRUE(holds([&] { return std::vector{relu_forward(x), relu_backward(y, x)}; }));
}

TEST_F(OpsThreadInvariance, Dropout) {
  const RandomKey key = random_key(1, 2, 3);
  const Real probability = static_cast<Real>(0.3);
  EXPECT_TRUE(holds([&] {
    return std::vector{dropout_forward(x, probability, key), dropout_backward(y, probability, key)};
  }));
}

TEST_F(OpsThreadInvariance, Softmax) {
  std::vector<Index> visible(kRows);
  for (Index row = 0; row < kRows; ++row) visible[row] = row % (kColumns + 1);
  EXPECT_TRUE(holds([&] {
    const Tensor weights = softmax_forward(x, visible);
    return std::vector{weights, softmax_backward(y, weights, visible)};
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

TEST_F(OpsThreadInvariance, Linear) {
  constexpr Index kOut = 307;
  const Tensor grad_y = random_tensor({kRows, kOut}, 5);
  EXPECT_TRUE(holds([&] {
    Parameter w = random_parameter({kColumns, kOut}, 3), b = random_parameter({kOut}, 4);
    const Tensor output = linear_forward(x, w, b);
    const Tensor grad_x = linear_backward(grad_y, x, w, b);
    return std::vector<Tensor>{output, grad_x, w.grad, b.grad};
  }));
}

TEST_F(OpsThreadInvariance, BatchedMatmulAndSwappedAxes) {
  const Tensor a = random_tensor({5, 7, 31, 67}, 3), b = random_tensor({5, 7, 67, 29}, 4);
  EXPECT_TRUE(holds([&] {
    const Tensor product = batched_matmul(a, Transpose::kNo, b, Transpose::kNo);
    return std::vector{product, swap_middle_axes(product)};
  }));
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

TEST_F(OpsThreadInvariance, CrossEntropy) {
  std::vector<int> targets(kRows);
  for (Index i = 0; i < kRows; ++i) targets[i] = i % 5 == 0 ? kNoTarget : static_cast<int>(i % kColumns);
  EXPECT_TRUE(holds([&] {
    const CrossEntropy result = cross_entropy_forward(x, targets, 0.1);
    return std::vector{tensor({2}, {result.loss, result.log_probability}),
                       cross_entropy_backward(1, x, targets, 0.1)};
  }));
}

}  // namespace
}  // namespace plainformer
