#include "ops/softmax_matmul.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/thread_pool.h"
#include "gradient_check.h"
#include "kernels/kernels.h"
#include "ops/batched_matmul.h"
#include "ops/elementwise.h"
#include "ops/softmax.h"
#include "ops/swap_axes.h"
#include "tensors.h"

namespace plainformer {
namespace {

// How large a problem is, and what each row sees.
struct Case {
  Index batch, m, n, blocks, k, l;
  bool causal;
};

std::vector<Index> visible_of(const Case& c) {
  std::vector<Index> visible;
  for (Index element = 0; element < c.batch; ++element) {
    for (Index row = 0; row < c.m; ++row) {
      const Index unpadded = std::max<Index>(0, c.n - 3 * element);
      visible.push_back(c.causal ? std::min(row + 1, unpadded) : unpadded);
    }
  }
  return visible;
}

SoftmaxMatmulCache cache_of(const Case& c) {
  return {.visible = visible_of(c), .blocks = c.blocks, .scale = Real(0.3)};
}

// [batch, rows, blocks * width] -> [batch, blocks, rows, width], and back.
Tensor split(const Tensor& x, Index blocks) {
  return swap_middle_axes(x.reshaped({x.dim(0), x.dim(1), blocks, x.dim(2) / blocks}));
}
Tensor merge(const Tensor& x) {
  return swap_middle_axes(x).reshaped({x.dim(0), x.dim(2), x.dim(1) * x.dim(3)});
}

std::vector<Index> for_each_block(const Case& c) {
  const std::vector<Index> visible = visible_of(c);
  std::vector<Index> all;
  for (Index element = 0; element < c.batch; ++element) {
    for (Index block = 0; block < c.blocks; ++block) {
      all.insert(all.end(), visible.begin() + element * c.m, visible.begin() + (element + 1) * c.m);
    }
  }
  return all;
}

struct Result {
  Tensor y, grad_a, grad_b, grad_c;
};

// The same by the operations that keep the whole matrix of scores.
Result plain(const Case& c, const Tensor& a, const Tensor& b, const Tensor& v, const Tensor& grad_y) {
  const Tensor as = split(a, c.blocks), bs = split(b, c.blocks), vs = split(v, c.blocks);
  const std::vector<Index> visible = for_each_block(c);
  const Tensor scores = scale(batched_matmul(as, Transpose::kNo, bs, Transpose::kYes), Real(0.3));
  const Tensor p = softmax_forward(scores, visible);
  const Tensor grad = split(grad_y, c.blocks);
  const Tensor grad_p = batched_matmul(grad, Transpose::kNo, vs, Transpose::kYes);
  const Tensor grad_s = scale(softmax_backward(grad_p, p, visible), Real(0.3));
  return {.y = merge(batched_matmul(p, Transpose::kNo, vs, Transpose::kNo)),
          .grad_a = merge(batched_matmul(grad_s, Transpose::kNo, bs, Transpose::kNo)),
          .grad_b = merge(batched_matmul(grad_s, Transpose::kYes, as, Transpose::kNo)),
          .grad_c = merge(batched_matmul(p, Transpose::kYes, grad, Transpose::kNo))};
}

Result fused(const Case& c, const Tensor& a, const Tensor& b, const Tensor& v, const Tensor& grad_y) {
  SoftmaxMatmulCache cache = cache_of(c);
  Result result;
  result.y = softmax_matmul_forward(a, b, v, cache);
  SoftmaxMatmulGradients grad = softmax_matmul_backward(grad_y, cache);
  result.grad_a = grad.a;
  result.grad_b = grad.b;
  result.grad_c = grad.c;
  return result;
}

Result run(const Case& c,
           Result (*function)(const Case&, const Tensor&, const Tensor&, const Tensor&, const Tensor&)) {
  return function(
      c, random_tensor({c.batch, c.m, c.blocks * c.k}, 1), random_tensor({c.batch, c.n, c.blocks * c.k}, 2),
      random_tensor({c.batch, c.n, c.blocks * c.l}, 3), random_tensor({c.batch, c.m, c.blocks * c.l}, 4));
}

// Sizes below, at and beyond the tiles of rows (a packed panel) and of columns (128).
const Case kCases[] = {{2, 3, 5, 2, 7, 4, false},      {3, 7, 7, 1, 5, 5, true},
                       {2, 33, 33, 3, 16, 17, true},   {1, 65, 129, 2, 8, 32, false},
                       {2, 130, 300, 1, 33, 9, false}, {2, 290, 290, 2, 16, 16, true}};

TEST(SoftmaxMatmul, AveragesTheVisibleRows) {
  // Scores 0 and ln 3: weights 1/4 and 3/4. The third row is not seen.
  SoftmaxMatmulCache cache = {.visible = {2}, .blocks = 1, .scale = 1};
  const Tensor y = softmax_matmul_forward(tensor({1, 1, 1}, {1}), tensor({1, 3, 1}, {0, std::log(3.0), 9}),
                                          tensor({1, 3, 2}, {4, 0, 8, 4, 100, 100}), cache);
  EXPECT_TRUE(near(y, {1, 1, 2}, {7, 3}, 1e-6));
}

TEST(SoftmaxMatmul, EqualsThePlainVersion) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::Message() << "m " << c.m << " n " << c.n << " k " << c.k << " l " << c.l);
    const Result a = run(c, fused), b = run(c, plain);
    EXPECT_TRUE(near(a.y, b.y, 1e-5));
    EXPECT_TRUE(near(a.grad_a, b.grad_a, 2e-5));
    EXPECT_TRUE(near(a.grad_b, b.grad_b, 2e-5));
    EXPECT_TRUE(near(a.grad_c, b.grad_c, 2e-5));
  }
}

TEST(SoftmaxMatmul, OfARowThatSeesNothingIsZeroAndSoAreItsGradients) {
  const Case c = {3, 4, 6, 2, 5, 3, false};  // the third element sees 0 of 6
  const Result result = run(c, fused);
  for (Index i = 2 * 4 * 6; i < result.y.size(); ++i) EXPECT_EQ(result.y.data()[i], 0);
  for (Index i = 2 * 4 * 10; i < result.grad_a.size(); ++i) EXPECT_EQ(result.grad_a.data()[i], 0);
  for (Index i = 2 * 6 * 10; i < result.grad_b.size(); ++i) EXPECT_EQ(result.grad_b.data()[i], 0);
  for (Index i = 2 * 6 * 6; i < result.grad_c.size(); ++i) EXPECT_EQ(result.grad_c.data()[i], 0);
}

TEST(SoftmaxMatmul, NeverReadsWhatNobodySees) {
  Tensor b = random_tensor({1, 40, 4}, 1), v = random_tensor({1, 40, 4}, 2);
  const Tensor a = random_tensor({1, 2, 4}, 3);
  SoftmaxMatmulCache cache = {.visible = {35, 35}, .blocks = 2, .scale = 1};
  const Tensor y = softmax_matmul_forward(a, b, v, cache);
  std::fill_n(b.mutable_data() + 35 * 4, 5 * 4, std::numeric_limits<Real>::quiet_NaN());
  std::fill_n(v.mutable_data() + 35 * 4, 5 * 4, std::numeric_limits<Real>::quiet_NaN());
  EXPECT_TRUE(same_bits(softmax_matmul_forward(a, b, v, cache), y));
}

TEST(SoftmaxMatmul, OfScoresFarApartDoesNotOverflow) {
  SoftmaxMatmulCache cache = {.visible = {200}, .blocks = 1, .scale = 1};
  Tensor b({1, 200, 1}), v({1, 200, 1});
  for (Index i = 0; i < 200; ++i) {
    b.mutable_data()[i] =
        static_cast<Real>(i);  // scores 0, 1000, ..., 199000: each tile brings a far larger one
    v.mutable_data()[i] = static_cast<Real>(i);
  }
  EXPECT_TRUE(near(softmax_matmul_forward(tensor({1, 1, 1}, {1000}), b, v, cache), {1, 1, 1}, {199}, 1e-6));
}

TEST(SoftmaxMatmul, IsBitwiseTheSameForAnyNumberOfThreads) {
  const std::string kernels_before = kernels().name;
  const int before = threads();
  for (const std::string& name : supported_kernels()) {
    use_kernels(name);
    set_threads(1);
    const Result one = run(kCases[2], fused);
    for (int count : {2, 3, 7}) {
      set_threads(count);
      const Result many = run(kCases[2], fused);
      EXPECT_TRUE(same_bits(many.y, one.y) && same_bits(many.grad_a, one.grad_a) &&
                  same_bits(many.grad_b, one.grad_b) && same_bits(many.grad_c, one.grad_c))
          << name << ", " << count << " threads";
    }
  }
  use_kernels(kernels_before);
  set_threads(before);
}

GRADIENT_TEST(SoftmaxMatmul, BackwardIsTheGradient) {
  for (const Case& c : {Case{2, 3, 5, 2, 7, 4, false}, Case{2, 5, 5, 1, 3, 2, true}}) {
    Tensor a = random_tensor({c.batch, c.m, c.blocks * c.k}, 1),
           b = random_tensor({c.batch, c.n, c.blocks * c.k}, 2);
    Tensor v = random_tensor({c.batch, c.n, c.blocks * c.l}, 3);
    const Tensor cotangent = random_tensor({c.batch, c.m, c.blocks * c.l}, 4);
    SoftmaxMatmulCache cache = cache_of(c);
    softmax_matmul_forward(a, b, v, cache);
    const SoftmaxMatmulGradients grad = softmax_matmul_backward(cotangent, cache);
    const auto loss = [&] {
      SoftmaxMatmulCache again = cache_of(c);
      return dot(cotangent, softmax_matmul_forward(a, b, v, again));
    };
    EXPECT_TRUE(gradients_agree(loss, {{"a", &a, grad.a}, {"b", &b, grad.b}, {"c", &v, grad.c}}));
  }
}

}  // namespace
}  // namespace plainformer
