// Every set of kernels that this processor can run, against the definition of each kernel evaluated in
// double: all lengths up to a little more than two vectors, misaligned starts, special values. Tolerances are
// derived from the data: a few roundings of the sum of all magnitudes.
#include "kernels/kernel_agreement.h"

namespace plainformer {
namespace {

INSTANTIATE_TEST_SUITE_P(AllKernels, KernelAgreement, testing::ValuesIn(supported_kernels()),
                         [](const auto& instance) { return instance.param; });

TEST_P(KernelAgreement, AddAndScaleFollowTheirDefinitions) {
  for (Index n : lengths()) {
    Input x(n, 1), y(n, 2);
    Output sum(n), scaled(n);
    std::copy_n(y.data(), n, sum.data());
    kernel_set.add(n, x.data(), sum.data());
    kernel_set.scale(n, Real(0.7), x.data(), scaled.data());
    const double factor = double(Real(0.7));
    for (Index i = 0; i < n; ++i) {
      expect_close(sum[i], x[i] + y[i], std::abs(x[i]) + std::abs(y[i]), 1, n, i);
      expect_close(scaled[i], factor * x[i], std::abs(x[i]), 1, n, i);
    }
    kernel_set.scale(n, Real(0.7), x.data(), x.data());
    for (Index i = 0; i < n; ++i) EXPECT_EQ(x[i], scaled[i]) << "in place";
  }
}

TEST_P(KernelAgreement, SumOfSquaresIsTakenInDouble) {
  for (Index n : lengths()) {
    Input x(n, 3);
    double expected = 0;
    for (Index i = 0; i < n; ++i) expected += x[i] * x[i];
    EXPECT_NEAR(kernel_set.sum_of_squares(n, x.data()), expected, 1e-15 * double(n) * expected);
  }
  const std::vector<Real> large(40, Real(1e25));  // the square is beyond the largest float
  EXPECT_NEAR(kernel_set.sum_of_squares(40, large.data()), 4e51, 1e45);
}

TEST_P(KernelAgreement, DropoutKeepsTheElementsWhoseRandomBitsReachTheThreshold) {
  const RandomStream stream = random_stream(7, 8, 9);
  for (Index n : lengths())
    for (std::uint32_t first : {0u, 5u, 0x7ffffff0u, 0xfffffff0u})
      for (std::uint32_t threshold :
           {0u, 0x40000000u, 0xc0000000u, random_bits(stream, first), 0xffffffffu}) {
        Input x(n, 6);
        Output y(n);
        kernel_set.dropout(n, stream, first, threshold, Real(1.25), x.data(), y.data());
        for (Index i = 0; i < n; ++i) {
          const bool keep = random_bits(stream, first + static_cast<std::uint32_t>(i)) >= threshold;
          ASSERT_EQ(y[i], keep ? double(Real(1.25) * Real(x[i])) : 0) << i << " of " << n;
        }
      }
}

TEST_P(KernelAgreement, AdamFollowsItsDefinition) {
  const AdamStep step = {Real(0.01), Real(0.9),  Real(0.98),   Real(1e-9), Real(0.1),
                         Real(0.02), Real(0.19), Real(0.0396), Real(0.5)};
  for (Index n : lengths()) {
    Input grad(n, 7), old_value(n, 8), old_m(n, 9), old_v(n, 10, 0, 3);
    Output value(n), m(n), v(n);
    std::copy_n(old_value.data(), n, value.data());
    std::copy_n(old_m.data(), n, m.data());
    std::copy_n(old_v.data(), n, v.data());
    kernel_set.adam(n, step, grad.data(), value.data(), m.data(), v.data());
    for (Index i = 0; i < n; ++i) {
      const double g = 0.5 * grad[i];
      const double beta_1 = double(step.beta_1), beta_2 = double(step.beta_2);
      const double new_m = beta_1 * old_m[i] + (1 - beta_1) * g;
      const double new_v = beta_2 * old_v[i] + (1 - beta_2) * g * g;
      expect_close(m[i], new_m, std::abs(old_m[i]) + std::abs(g), 4, n, i);
      expect_close(v[i], new_v, old_v[i] + g * g, 4, n, i);
      const double root = std::sqrt(new_v / double(step.bias_correction_2)) + double(step.epsilon);
      const double change = double(step.learning_rate) * new_m / double(step.bias_correction_1) / root;
      const double largest_change = 0.01 * (std::abs(old_m[i]) + std::abs(g)) / 0.19 / root;
      expect_close(value[i], old_value[i] - change, std::abs(old_value[i]) + largest_change, 12, n, i);
    }
  }
}

// Without a gradient the moments of Adam fade. They must not stay subnormal: computing with such numbers is
// slow.
TEST_P(KernelAgreement, MomentsThatFadeBecomeZero) {
  const AdamStep step = {Real(0.01), Real(0.9), Real(0.98), Real(1e-9), Real(0.1),
                         Real(0.02), Real(1),   Real(1),    Real(1)};
  const Real least = std::numeric_limits<Real>::min();
  const Index n = 19;
  const std::vector<Real> grad(n, 0);
  std::vector<Real> value(n, 1), m(n, -2 * least), v(n, 2 * least);
  for (int round = 0; round < 100; ++round) {
    kernel_set.adam(n, step, grad.data(), value.data(), m.data(), v.data());
    for (Index i = 0; i < n; ++i) {
      EXPECT_NE(std::fpclassify(m[i]), FP_SUBNORMAL) << round;
      EXPECT_NE(std::fpclassify(v[i]), FP_SUBNORMAL) << round;
    }
  }
  EXPECT_EQ(m, grad);
  EXPECT_EQ(v, grad);

  m[3] = std::numeric_limits<Real>::quiet_NaN();
  kernel_set.adam(n, step, grad.data(), value.data(), m.data(), v.data());
  EXPECT_TRUE(std::isnan(m[3]));
}

TEST_P(KernelAgreement, AnElementsResultDoesNotDependOnWhereItStands) {
  const Index n = 67;
  const AdamStep step = {Real(0.01), Real(0.9),  Real(0.98),   Real(1e-9), Real(0.1),
                         Real(0.02), Real(0.19), Real(0.0396), Real(1)};
  Input x(n, 11), grad(n, 12), start(n, 13, 0, 1);
  const auto run = [&](Index cut) {
    std::vector<Real> y(start.data(), start.data() + n), m = y, v = y, e(std::size_t(n), 0);
    for (auto [begin, end] : {std::pair<Index, Index>{0, cut}, {cut, n}}) {
      kernel_set.scale_and_shift(end - begin, Real(0.3), Real(0.1), x.data() + begin, y.data() + begin);
      kernel_set.adam(end - begin, step, grad.data() + begin, y.data() + begin, m.data() + begin,
                      v.data() + begin);
      kernel_set.exp_sum(end - begin, Real(0.1), x.data() + begin, e.data() + begin);
    }
    for (const auto* part : {&m, &v, &e}) y.insert(y.end(), part->begin(), part->end());
    return y;
  };
  const std::vector<Real> whole = run(0);
  for (Index cut = 1; cut < n; ++cut) EXPECT_EQ(run(cut), whole) << "cut at " << cut;
}

std::vector<double> softmax_in_double(const Input& x, Index n) {
  std::vector<double> y(std::size_t(n), 0.0);
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, x[i]);
  for (Index i = 0; i < n; ++i) sum += std::exp(x[i] - largest);
  for (Index i = 0; i < n; ++i) y[std::size_t(i)] = std::exp(x[i] - largest) / sum;
  return y;
}

// The softmax, y = exp(x - max x) / sum(exp(x - max x)), as attention computes it; may be in place.
void softmax(const Kernels& kernel_set, Index n, const Real* x, Real* y) {
  const double sum = kernel_set.exp_sum(n, kernel_set.largest(n, x), x, y);
  kernel_set.scale(n, static_cast<Real>(1 / sum), y, y);
}

double log_sum_exp(const Kernels& kernel_set, Index n, const Real* x) {
  const Real largest = kernel_set.largest(n, x);
  return double(largest) + std::log(kernel_set.exp_sum(n, largest, x, nullptr));
}

TEST_P(KernelAgreement, SoftmaxAndLogSumExpFollowTheirDefinitions) {
  for (Index n : lengths()) {
    Input x(n, 14, -9, 9);
    Output y(n);
    softmax(kernel_set, n, x.data(), y.data());
    const std::vector<double> expected = softmax_in_double(x, n);
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      // The rounding of x - largest, of at most 18, is a relative error of the result.
      expect_close(y[i], expected[std::size_t(i)], expected[std::size_t(i)], 24 + double(n) / 16, n, i);
      sum += std::exp(x[i]);
    }
    if (n > 0)
      expect_close(double(log_sum_exp(kernel_set, n, x.data())), std::log(sum), 9 + std::log(sum), 4, n, 0);
    softmax(kernel_set, n, x.data(), x.data());
    for (Index i = 0; i < n; ++i) EXPECT_EQ(x[i], y[i]) << "in place";
  }
}

TEST_P(KernelAgreement, SoftmaxAndLogSumExpOfSpecialValues) {
  const Real huge = std::numeric_limits<Real>::max();
  for (Index n : {1, 5, 16, 21, 33}) {
    Output y(n);
    for (Real value : {huge, -huge, Real(0), Real(1e-40), Real(-1000)}) {
      const std::vector<Real> equal(std::size_t(n), value);
      softmax(kernel_set, n, equal.data(), y.data());
      for (Index i = 0; i < n; ++i) expect_close(y[i], 1 / double(n), 1 / double(n), 4, n, i);
    }
    std::vector<Real> x(std::size_t(n), -huge);
    x.back() = huge;
    softmax(kernel_set, n, x.data(), y.data());
    for (Index i = 0; i < n; ++i) EXPECT_EQ(y[i], i == n - 1 ? 1 : 0);
    EXPECT_EQ(log_sum_exp(kernel_set, n, x.data()), huge);

    std::fill(x.begin(), x.end(), -kInfinity);
    EXPECT_TRUE(std::isnan(log_sum_exp(kernel_set, n, x.data()))) << n;
    x.back() = 2;
    EXPECT_EQ(log_sum_exp(kernel_set, n, x.data()), 2) << n;
    x.back() = kInfinity;
    EXPECT_TRUE(std::isnan(log_sum_exp(kernel_set, n, x.data()))) << n;

    for (Index at = 0; at < n; ++at) {
      Input with_nan(n, 15);
      with_nan.data()[at] = kNaN;
      softmax(kernel_set, n, with_nan.data(), y.data());
      for (Index i = 0; i < n; ++i) EXPECT_TRUE(std::isnan(y[i])) << i << " of " << n << ", NaN at " << at;
      EXPECT_TRUE(std::isnan(log_sum_exp(kernel_set, n, with_nan.data())));
      const Real largest = kernel_set.largest(n, with_nan.data());
      with_nan.data()[at] = -kInfinity;
      EXPECT_EQ(largest, kernel_set.largest(n, with_nan.data())) << n << " elements, NaN at " << at;
    }
  }
  EXPECT_EQ(log_sum_exp(kernel_set, 0, nullptr), -kInfinity);
}

TEST_P(KernelAgreement, DotAndSoftmaxGradientFollowTheirDefinitions) {
  for (Index n : lengths()) {
    Input grad_y(n, 16), y(n, 17, 0, 1);
    Output grad_x(n);
    double sum = 0, magnitude = 0;
    for (Index i = 0; i < n; ++i) {
      sum += grad_y[i] * y[i];
      magnitude += std::abs(grad_y[i] * y[i]);
    }
    const Real mean = kernel_set.dot(n, grad_y.data(), y.data());
    expect_close(double(mean), sum, magnitude, 2 + double(n) / 16, n, 0);
    kernel_set.softmax_gradient(n, mean, grad_y.data(), y.data(), grad_x.data());
    for (Index i = 0; i < n; ++i)
      expect_close(grad_x[i], y[i] * (grad_y[i] - sum), y[i] * (std::abs(grad_y[i]) + magnitude),
                   4 + double(n) / 16, n, i);
    kernel_set.softmax_gradient(n, mean, grad_y.data(), y.data(), grad_y.data());
    for (Index i = 0; i < n; ++i) EXPECT_EQ(grad_y[i], grad_x[i]) << "in place";
  }
}

TEST_P(KernelAgreement, SumLargestExpSumAndScaleAndShiftFollowTheirDefinitions) {
  for (Index n : lengths()) {
    Input x(n, 21);
    Output scaled(n), exps(n);
    double sum = 0, absolute = 0, exp_sum = 0, largest = -double(kInfinity);
    for (Index i = 0; i < n; ++i) {
      sum += x[i];
      absolute += std::abs(x[i]);
      exp_sum += std::exp(x[i] - double(Real(0.25)));
      largest = std::max(largest, double(x[i]));
    }
    EXPECT_NEAR(kernel_set.sum(n, x.data()), sum, 1e-15 * double(n) * absolute) << "in double";
    EXPECT_EQ(double(kernel_set.largest(n, x.data())), largest) << "n = " << n;
    const double actual_exp_sum = kernel_set.exp_sum(n, Real(0.25), x.data(), exps.data());
    expect_close(actual_exp_sum, exp_sum, 4 * exp_sum, 4, n, 0);
    kernel_set.scale_and_shift(n, Real(3), Real(0.5), x.data(), scaled.data());
    for (Index i = 0; i < n; ++i) expect_close(scaled[i], 3 * x[i] + 0.5, 3 * std::abs(x[i]) + 0.5, 2, n, i);
  }
}

TEST_P(KernelAgreement, LayerNormFollowsItsDefinition) {
  const Real epsilon = Real(1e-5);
  for (Index n : lengths()) {
    if (n == 0) continue;
    Input x(n, 18, 2, 6), gain(n, 19), bias(n, 20);
    Output y(n);
    Real mean = 0, rstd = 0;
    kernel_set.layer_norm(n, x.data(), gain.data(), bias.data(), epsilon, y.data(), &mean, &rstd);
    double sum = 0, squares = 0;
    for (Index i = 0; i < n; ++i) sum += x[i];
    const double center = sum / double(n);
    for (Index i = 0; i < n; ++i) squares += (x[i] - center) * (x[i] - center);
    const double expected_rstd = 1 / std::sqrt(squares / double(n) + double(epsilon));
    const double roundings = 4 + double(n) / 8;
    expect_close(double(mean), center, 6, roundings, n, 0);
    // One rounding of the mean changes (x - mean)^2 by at most 2 |x - mean| eps |mean|.
    expect_close(double(rstd), expected_rstd, expected_rstd * (1 + 6 * expected_rstd), roundings, n, 0);
    for (Index i = 0; i < n; ++i) {
      const double x_hat = (x[i] - center) * expected_rstd;
      const double magnitude =
          std::abs(gain[i]) * (6 * expected_rstd + std::abs(x_hat) * (1 + 6 * expected_rstd));
      expect_close(y[i], gain[i] * x_hat + bias[i], magnitude + std::abs(bias[i]), roundings, n, i);
    }
  }
}

TEST_P(KernelAgreement, LayerNormBackwardFollowsItsDefinition) {
  const double mean = 0.3, rstd = 1.7;
  for (Index n : lengths()) {
    if (n == 0) continue;
    Input grad_y(n, 21), x(n, 22), gain(n, 23);
    Output grad_x(n);
    kernel_set.layer_norm_backward(n, grad_y.data(), x.data(), gain.data(), Real(mean), Real(rstd),
                                   grad_x.data());
    double sum_g = 0, sum_g_x_hat = 0, magnitude = 0;
    const auto x_hat = [&](Index i) { return (x[i] - double(Real(mean))) * double(Real(rstd)); };
    for (Index i = 0; i < n; ++i) {
      sum_g += grad_y[i] * gain[i];
      sum_g_x_hat += grad_y[i] * gain[i] * x_hat(i);
      magnitude += std::abs(grad_y[i] * gain[i]) * 5 / double(n);  // |x_hat| < 4
    }
    for (Index i = 0; i < n; ++i) {
      const double g = grad_y[i] * gain[i];
      const double expected =
          double(Real(rstd)) * (g - sum_g / double(n) - x_hat(i) * sum_g_x_hat / double(n));
      expect_close(grad_x[i], expected, rstd * (std::abs(g) + 5 * magnitude), 6 + double(n) / 16, n, i);
    }
  }
}

TEST_P(KernelAgreement, LayerNormBackwardParametersAddsToWhatIsThere) {
  const Index rows = 5, row_stride = 520;
  Input grad_y(rows * row_stride, 24), x(rows * row_stride, 25), mean(rows, 26), rstd(rows, 27, 0.5, 2);
  for (Index n : lengths()) {
    Output grad_gain(n, 3), grad_bias(n, 4);
    kernel_set.layer_norm_backward_parameters(rows, n, grad_y.data(), x.data(), row_stride, mean.data(),
                                              rstd.data(), grad_gain.data(), grad_bias.data());
    for (Index j = 0; j < n; ++j) {
      double expected_gain = 3, expected_bias = 4, magnitude = 4;
      for (Index i = 0; i < rows; ++i) {
        const Index at = i * row_stride + j;
        const double product = grad_y[at] * (x[at] - mean[i]) * rstd[i];
        expected_gain += product;
        expected_bias += grad_y[at];
        magnitude += std::abs(grad_y[at]) * (1 + (std::abs(x[at]) + std::abs(mean[i])) * rstd[i]);
      }
      expect_close(grad_gain[j], expected_gain, magnitude, 6, n, j);
      expect_close(grad_bias[j], expected_bias, magnitude, 6, n, j);
    }
  }
}

// --- exp: its accuracy over all normal results, special values, and the way to zero ---

TEST_P(KernelAgreement, ExpIsWithinTwoUnitsInTheLastPlace) {
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

TEST_P(KernelAgreement, ExpOfSpecialValues) {
  const std::vector<std::pair<Real, Real>> cases = {
      {0, 1},           {-Real(0), 1},   {-kInfinity, 0},         {kInfinity, kInfinity},
      {Real(-1e30), 0}, {Real(-800), 0}, {Real(1e30), kInfinity}, {Real(800), kInfinity},
      {Real(1e-45), 1}};
  for (const auto& [x, expected] : cases) {
    Real y = 5;
    kernel_set.exp_sum(1, 0, &x, &y);
    EXPECT_EQ(y, expected) << x;
  }
  Real y = 5;
  kernel_set.exp_sum(1, 0, &kNaN, &y);
  EXPECT_TRUE(std::isnan(y));
}

#ifndef PLAINFORMER_DOUBLE
TEST_P(KernelAgreement, ExpGoesFromTheSmallestNormalNumberToZeroWithoutAJump) {
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
