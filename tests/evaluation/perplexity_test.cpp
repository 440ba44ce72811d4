#include "evaluation/perplexity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plainformer {
namespace {

TEST(Perplexity, IsTheInverseGeometricMeanOfTheProbabilities) {
  EXPECT_DOUBLE_EQ(perplexity(7 * std::log(50.0), 7), 50);
  EXPECT_DOUBLE_EQ(perplexity(0, 3), 1);  // certain of each token
  // 1/2, 1/4 and 1/64: (2 * 4 * 64)^(1/3) = 8
  EXPECT_DOUBLE_EQ(perplexity(-(std::log(0.5) + std::log(0.25) + std::log(1.0 / 64)), 3), 8);
}

}  // namespace
}  // namespace plainformer
