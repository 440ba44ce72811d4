// exp in every set of kernels that this processor can run: its accuracy over all normal results, special
// values, and the way to zero.
#include "kernels/kernel_agreement.h"

namespace plainformer {
namespace {

using ExpKernel = KernelAgreement;

INSTANTIATE_TEST_SUITE_P(AllKernels, ExpKernel, testing::ValuesIn(supported_kernels()),
                         [](const auto& instance) { return instance.param; });

TEST_P(ExpKernel, ExpIsWithinTwoUnitsInTheLastPlace) {
  const Index n = 400'000;
  std::vector<Real> x(std::size_t(n), 0), y(x);
  for (double low : {-87.33, -1.0, -1e-3}) {  // -87.33 .. 88.7 covers all normal results
    const double high = low < -2 ? 88.72 : -low;
    for (Index i = 0; i < n; ++i)
      x[std::size_t(i)] = static_cast<Real>(low + (high - low) * double(i) / double(n));
    kernel_set.exp_sum(n, 0, x.data(), y.data());
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double expected = double(std::exp(static_cast<long double>(x[i])));
      const Real rounded = static_cast<Real>(expected);
      const double unit = double(std::nextafter(rounded, kInfinity)) - double(rounded);
      worst = std::max(worst, std::abs(double(y[i]) - expected) / unit);
    }
    EXPECT_LE(worst, 2.0) << "from " << low;
  }
}

TEST_P(ExpKernel, ExpOfSpecialValues) {
  const std::vector<Real> x = {0,           -Real(0),   -kInfinity, kInfinity, kNaN,
                               Real(-1e30), Real(1e30), Real(-800), Real(800), Real(1e-45)};
  std::vector<Real> y(x.size(), 5);
  kernel_set.exp_sum(Index(x.size()), 0, x.data(), y.data());
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 1);
  EXPECT_EQ(y[2], 0);
  EXPECT_EQ(y[3], kInfinity);
  EXPECT_TRUE(std::isnan(y[4]));
  EXPECT_EQ(y[5], 0);
  EXPECT_EQ(y[6], kInfinity);
  EXPECT_EQ(y[7], 0);
  EXPECT_EQ(y[8], kInfinity);
  EXPECT_EQ(y[9], 1);
}

#ifndef PLAINFORMER_DOUBLE
TEST_P(ExpKernel, ExpGoesFromTheSmallestNormalNumberToZeroWithoutAJump) {
  const Real smallest = std::numeric_limits<Real>::min();
  Real x = Real(-87.3);
  Real before = kInfinity;
  for (int i = 0; i < 20000; ++i, x = std::nextafter(x, -kInfinity)) {
    Real y = 5;
    kernel_set.exp_sum(1, 0, &x, &y);
    ASSERT_GE(y, 0) << x;
    ASSERT_LE(y, before * (1 + 2 * Real(kEpsilon))) << x;
    ASSERT_NEAR(double(y), std::exp(double(x)), double(smallest) * 1.01) << x;
    before = y;
  }
  Real top = Real(88.72283), y = 0;
  kernel_set.exp_sum(1, 0, &top, &y);
  EXPECT_NEAR(double(y), std::exp(double(top)), 4e-7 * double(y));
}
#endif

}  // namespace
}  // namespace plainformer
