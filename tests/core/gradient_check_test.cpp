// The checker is checked: it accepts a right backward pass, and rejects those that people write by mistake.
#include "support/gradient_check.h"
#include "core/check.h"

#include <algorithm>
#include <limits>

namespace plainformer {
namespace {

// The subject: y = factor x W for x [3, 5] and W [5, 2], with the loss dot(cotangent, y). So
// grad_x = factor cotangent W^T and grad_w = factor x^T cotangent.
class GradientChecker : public testing::Test {
 protected:
  static constexpr Index kRows = 3, kIn = 5, kOut = 2;
  static constexpr double kFactor = 0.5;

  double loss() const {
    double sum = 0;
    for (Index i = 0; i < kRows; ++i)
      for (Index p = 0; p < kIn; ++p)
        for (Index j = 0; j < kOut; ++j) sum += kFactor * x.at({i, p}) * w.at({p, j}) * cotangent.at({i, j});
    return sum;
  }

  // grad_x[i][p] = factor * sum over j of cotangent[i][j] w[p][j], but for the mistake that a test makes.
  Tensor grad_x(double factor = kFactor, Index first_column = 0, Index row_shift = 0) const {
    Tensor grad = Tensor::zeros(x.shape());
    for (Index i = 0; i < kRows; ++i)
      for (Index p = 0; p < kIn; ++p)
        for (Index j = first_column; j < kOut; ++j)
          grad.mutable_data()[i * kIn + p] +=
              static_cast<Real>(factor * cotangent.at({(i + row_shift) % kRows, j}) * w.at({p, j}));
    return grad;
  }

  testing::AssertionResult check(const Tensor& gradient) {
    return gradients_agree([this] { return loss(); }, {{"x", &x, gradient}});
  }

  Tensor x = random_tensor({kRows, kIn}, 1);
  Tensor w = random_tensor({kIn, kOut}, 2);
  Tensor cotangent = random_tensor({kRows, kOut}, 3);
};

TEST_F(GradientChecker, AcceptsTheRightGradientAndRestoresTheInput) {
  const Tensor before = tensor(x.shape(), values(x));
  EXPECT_TRUE(check(grad_x()));
  EXPECT_TRUE(same_bits(x, before));
}

TEST_F(GradientChecker, RejectsKnownMistakes) {
  EXPECT_FALSE(check(Tensor::zeros(x.shape()))) << "zeros";
  EXPECT_FALSE(check(grad_x(kFactor, 1))) << "a missing term";
  EXPECT_FALSE(check(grad_x(1))) << "a missing scale";
  EXPECT_FALSE(check(grad_x(-kFactor))) << "the wrong sign";
  EXPECT_FALSE(check(grad_x(kFactor, 0, 1))) << "off by a row";
  EXPECT_FALSE(check(grad_x().reshaped({kIn, kRows}))) << "another shape";
  Tensor gradient = grad_x();
  gradient.mutable_data()[0] = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_FALSE(check(gradient)) << "NaN";
}

TEST_F(GradientChecker, RejectsOneWrongElementAndNamesIt) {
  Tensor gradient = grad_x();
  gradient.mutable_data()[2 * kIn + 3] += 1;
  const testing::AssertionResult result = check(gradient);
  ASSERT_FALSE(result);
  const std::string message = result.message();
  EXPECT_EQ(message.rfind("x[2, 3]: numeric ", 0), 0u) << message;
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
}

TEST_F(GradientChecker, RejectsALossThatCannotSeeTheInput) {
  const auto blind_loss = [] { return 1.0; };
  EXPECT_FALSE(gradients_agree(blind_loss, {{"x", &x, Tensor::zeros(x.shape())}}));
}

TEST_F(GradientChecker, LooksAtEveryInput) {
  const auto first_of_both = [this] { return loss(); };
  EXPECT_FALSE(gradients_agree(first_of_both, {{"x", &x, grad_x()}, {"w", &w, Tensor::zeros(w.shape())}}));
}

// Float is too coarse for this one.
GRADIENT_TEST_F(GradientChecker, RejectsARelativeErrorOfOneInTenThousand) {
  EXPECT_FALSE(check(grad_x(kFactor * 1.0001)));
}

#ifndef PLAINFORMER_DOUBLE  // where the loss of such a value has too few digits left
TEST_F(GradientChecker, DividesByTheStepThatRealCouldTake) {
  x.mutable_data()[0] = 10'000;  // the numbers beside it are 0.001 away, where epsilon is 0.01
  EXPECT_TRUE(check(grad_x()));
}
#endif

TEST(Dot, RefusesAnotherSize) {
  EXPECT_EQ(dot(Tensor::from({2}, {1, 2}), Tensor::from({1, 2}, {3, 4})), 11);
  EXPECT_THROW(dot(Tensor::zeros({2}), Tensor::zeros({3})), std::logic_error);
}

}  // namespace
}  // namespace plainformer
