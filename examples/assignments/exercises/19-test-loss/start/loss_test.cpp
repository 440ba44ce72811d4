// Your tests of the smoothed cross-entropy.
//
// They run against the library's functions, which they must accept, and against broken ones, each of which at
// least one of your tests must reject. Numbers are double.
//
// From tests/support:
//   tensor(shape, {numbers})                  a Tensor
//   random_tensor(shape, seed)                a Tensor of mean 0 and variance 1, the same for the same seed
//   values(x)                                 its numbers, a std::vector<double>
//   dot(x, y)                                 the sum of x_i y_i, a double
//   EXPECT_TRUE(near(x, y, tolerance))        two tensors; or a tensor and numbers: near(x, shape, {numbers}, tolerance)
//   EXPECT_TRUE(gradients_agree(loss, {{"x", &x, grad_x}, ...}))
//                                             loss() computes a double anew from x, which the check changes
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ops/cross_entropy.h"
#include "support/gradient_check.h"
#include "support/tensors.h"

namespace plainformer {
namespace {

// An example. Without smoothing, the loss of a row is -log p(target). Equal logits give each of K classes the
// probability 1/K.
TEST(Loss, OfEqualLogitsIsTheLogarithmOfTheClasses) {
  const Tensor logits = tensor({1, 4}, {2, 2, 2, 2});  // [rows, K]
  const CrossEntropy result = cross_entropy_forward(logits, std::vector<int>{3}, /*smoothing=*/0);
  EXPECT_NEAR(result.loss, std::log(4.0), 1e-12);
  EXPECT_EQ(result.rows, 1);
}

// Now yours. Functions that pass the test above may still break any of these promises:
//
// 1. With smoothing, the target distribution is that of the paper's source (ops/cross_entropy.h): what does
//    each wrong class get, and what does the right one get? Logits that are logarithms have probabilities
//    you know.
// 2. Large logits do not overflow, and a probability that rounds to 0 has a finite logarithm all the same.
// 3. A row whose target is kNoTarget does not count: not in the loss, not in `rows`, and not in the gradient,
//    with smoothing or without it.
// 4. The gradient is the derivative of grad_loss times the loss, in each element, with smoothing and with a
//    grad_loss other than 1. Compare with differences: support/gradient_check.h says how.
//
//    const Tensor grad_x = cross_entropy_backward(grad_loss, x, targets, smoothing);
//    EXPECT_TRUE(gradients_agree(loss, {{"x", &x, grad_x}}));
//
//    where loss() returns grad_loss * cross_entropy_forward(x, targets, smoothing).loss.

}  // namespace
}  // namespace plainformer
