#include "ops/ragged_softmax_matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "ops/elementwise.h"
#include "ops/softmax.h"
#include "tensors.h"

namespace plainformer {
namespace {

// Columns first .. first + cols - 1 of rows 0 .. rows - 1.
MatrixView part(const Tensor& x, Index rows, Index first, Index cols) {
  return {x.data() + first, rows, cols, x.dim(1)};
}

TEST(RaggedSoftmaxMatmul, WeighsTheVisibleRowsByTheSoftmax) {
  const Real ln_3 = std::log(Real{3});
  const Tensor a = tensor({2, 1}, {1, 1}), b = tensor({1, 3}, {0, 100, 2 * ln_3});
  const Tensor c = tensor({3, 2}, {4, 0, 50, 60, 8, 4});
  const std::vector<Index> ends = {0, 2}, middle = {1};
  const std::vector<VisibleColumns> visible = {ends, middle};
  Tensor y({2, 2});
  // exp(0) and exp(2 ln 3 / 2) = 3: weights 1/4 and 3/4 in the first row, 1 in the second.
  const SoftmaxProduct product = {
      part(a, 2, 0, 1), part(b, 1, 0, 3), part(c, 3, 0, 2), Real(0.5), visible, y.mutable_data(), 2};
  ragged_softmax_matmul({&product, 1});
  EXPECT_TRUE(near(y, {2, 2}, {7, 3, 50, 60}, 1e-5));
}

// What the product should have: multiply, scale, softmax, multiply on copies of the visible columns alone.
Tensor step_by_step(const SoftmaxProduct& product, Index row) {
  const auto& [a, b, c, factor, visible, y, y_row_stride] = product;
  const VisibleColumns columns = visible[row];
  const Index k = a.cols, n = std::ssize(columns), l = c.cols;
  Tensor seen_b({k, n}), seen_c({n, l}), scores({1, n}), expected({1, l});
  for (Index i = 0; i < n; ++i) {
    for (Index p = 0; p < k; ++p) seen_b.mutable_data()[p * n + i] = b.data[p * b.row_stride + columns[i]];
    std::copy_n(c.data + columns[i] * c.row_stride, l, seen_c.mutable_data() + i * l);
  }
  const MatrixView a_row = {a.data + row * a.row_stride, 1, k, a.row_stride};
  multiply(a_row, Transpose::kNo, {seen_b.data(), k, n, n}, Transpose::kNo, scores.mutable_data(), n, false);
  scores = softmax_forward(scale(std::move(scores), factor), std::vector<Index>{n});
  multiply({scores.data(), 1, n, n}, Transpose::kNo, {seen_c.data(), n, l, l}, Transpose::kNo,
           expected.mutable_data(), l, false);
  return expected;
}

// Many products of all sizes around those of the tiles, inside larger matrices; what lies around y stays as
// it is.
TEST(RaggedSoftmaxMatmul, HasTheBitsOfTheStepsAndWritesNothingElse) {
  const Tensor a = random_tensor({37, 80}, 1), b = random_tensor({70, 90}, 2), c = random_tensor({90, 60}, 3);
  std::vector<Index> all(90);
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<std::vector<VisibleColumns>> visible;  // by product
  std::vector<SoftmaxProduct> products;
  std::vector<Tensor> results;
  for (const Index m : {1, 4, 15, 37}) {
    for (const Index n : {1, 8, 17, 33, 65}) {
      visible.emplace_back();
      for (Index i = 0; i < m; ++i)
        visible.back().push_back(std::span(all).first(i % 3 == 0 ? n : 1 + i % n));
      results.push_back(Tensor::filled({40, 50}, 7));
      products.push_back({part(a, m, 3, 32), part(b, 32, 5, n), part(c, n, 2, 33), Real(0.75), visible.back(),
                          results.back().mutable_data() + 51, 50});
    }
  }
  ragged_softmax_matmul(products);
  for (std::size_t number = 0; number < products.size(); ++number) {
    const SoftmaxProduct& product = products[number];
    Tensor expected = Tensor::filled({40, 50}, 7);
    for (Index i = 0; i < product.a.rows; ++i)
      std::copy_n(step_by_step(product, i).data(), 33, expected.mutable_data() + 51 + i * 50);
    ASSERT_TRUE(same_bits(results[number], expected)) << product.a.rows << " x " << product.b.cols;
  }
}

TEST(RaggedSoftmaxMatmul, NothingIsNothing) {
  EXPECT_NO_THROW(ragged_softmax_matmul({}));
}

TEST(RaggedSoftmaxMatmul, ARowThatSeesNothingIsZero) {
  const Tensor a = random_tensor({1, 3}, 1), b = random_tensor({3, 4}, 2), c = random_tensor({4, 5}, 3);
  const std::vector<VisibleColumns> visible = {{}};
  Tensor y = Tensor::filled({1, 5}, 7);
  const SoftmaxProduct product = {
      part(a, 1, 0, 3), part(b, 3, 0, 4), part(c, 4, 0, 5), 1, visible, y.mutable_data(), 5};
  ragged_softmax_matmul({&product, 1});
  EXPECT_TRUE(same_bits(y, Tensor::zeros({1, 5})));
}

TEST(RaggedSoftmaxMatmul, VisibleColumnsMustExist) {
  const Tensor a = random_tensor({1, 3}, 1), b = random_tensor({3, 4}, 2), c = random_tensor({4, 5}, 3);
  Tensor y({1, 5});
  for (const std::vector<Index>& columns :
       {std::vector<Index>{-1, 2}, {0, 4}, {1, 2, 3, 4}, {0, 1, 1, 2, 3}}) {
    const std::vector<VisibleColumns> visible = {columns};
    const SoftmaxProduct product = {
        part(a, 1, 0, 3), part(b, 3, 0, 4), part(c, 4, 0, 5), 1, visible, y.mutable_data(), 5};
    EXPECT_THROW(ragged_softmax_matmul({&product, 1}), std::logic_error) << columns.front();
  }
}

TEST(RaggedSoftmaxMatmul, ExtentsMustAgree) {
  const Tensor a = random_tensor({2, 3}, 1), b = random_tensor({3, 4}, 2), c = random_tensor({4, 5}, 3);
  const std::vector<Index> first = {0};
  const std::vector<VisibleColumns> visible = {first, first};
  Tensor y({2, 5});
  const SoftmaxProduct good = {
      part(a, 2, 0, 3), part(b, 3, 0, 4), part(c, 4, 0, 5), 1, visible, y.mutable_data(), 5};
  EXPECT_NO_THROW(ragged_softmax_matmul({&good, 1}));
  SoftmaxProduct bad = good;
  bad.a.cols = 2;
  EXPECT_THROW(ragged_softmax_matmul({&bad, 1}), std::logic_error);
  bad = good;
  bad.c.rows = 3;
  EXPECT_THROW(ragged_softmax_matmul({&bad, 1}), std::logic_error);
  bad = good;
  bad.visible = bad.visible.first(1);
  EXPECT_THROW(ragged_softmax_matmul({&bad, 1}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
