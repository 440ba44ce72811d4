// The number that counts.
#include "core/real.h"

#include <gtest/gtest.h>

#include <vector>

#include "counts.h"

namespace plainformer {
namespace {

std::int64_t made_by(const std::function<void()>& work) {
  return counts_of(work).made;
}

TEST(CountingReal, CountsEachProductThatIsAddedToASum) {
  Real sum = 0;
  const Real a = 2, b = 3;
  EXPECT_EQ(made_by([&] { sum += a * b; }), 1);
  EXPECT_EQ(made_by([&] { sum -= a * b; }), 1);
  EXPECT_EQ(made_by([&] { sum += a / b * a; }), 1);
  EXPECT_EQ(made_by([&] { sum += 2 * a * b; }), 1);
  std::vector<Real> sums(7);
  EXPECT_EQ(made_by([&] {
              for (Real& each : sums)
                for (int p = 0; p < 5; ++p) each += a * b;
            }),
            35);
}

TEST(CountingReal, CountsNoOtherArithmetic) {
  Real sum = 0;
  const Real a = 2, b = 3;
  EXPECT_EQ(made_by([&] {
              sum = a * b;
              sum += a;
              sum -= b;
              sum *= a;
              sum /= b;
              sum = a * b + sum;
              sum += a * b / 2;
            }),
            0);
}

TEST(CountingReal, ComputesAsAFloat) {
  const float x = 0.1f, y = 0.7f;
  const Real a = x, b = y;
  Real sum = a;
  sum += a * b;
  EXPECT_EQ(static_cast<float>(sum), x + x * y);
  sum -= b * 3;
  EXPECT_EQ(static_cast<float>(sum), x + x * y - y * 3);
  EXPECT_EQ(static_cast<float>(Real(a * b / 3 - 1)), x * y / 3 - 1);
}

}  // namespace
}  // namespace plainformer
