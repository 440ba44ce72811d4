// One visible line in place of this room's gradient checks, where they do not run.
#include <gtest/gtest.h>

#ifndef PLAINFORMER_DOUBLE
TEST(GradientChecks, RunInTheDoubleBuild) {
  GTEST_SKIP() << "gradient checks run in the double build: cmake --preset double";
}
#endif
