// The library's gradient checker as an assertion.
//
// Differences at 1e-6 mean something in double only, so a GRADIENT_TEST (GRADIENT_TEST_F) is a TEST (TEST_F)
// where Real is double: in the program gradient_tests, and in the whole build of preset `double`. A float
// program compiles it and does not list it.
#pragma once

#include "core/gradient_check.h"

#include <gtest/gtest.h>

#include "support/tensors.h"

#ifdef PLAINFORMER_DOUBLE
#define GRADIENT_TEST(suite, name) TEST(suite, name)
#define GRADIENT_TEST_F(fixture, name) TEST_F(fixture, name)
#else
#define GRADIENT_TEST(suite, name) [[maybe_unused]] static void suite##_##name##_InTheDoubleBuild()
#define GRADIENT_TEST_F(fixture, name)                   \
  struct fixture##_##name##_InTheDoubleBuild : fixture { \
    [[maybe_unused]] void check_gradients();             \
  };                                                     \
  void fixture##_##name##_InTheDoubleBuild::check_gradients()
#endif

namespace plainformer {

// Does the backward pass agree with the differences of `loss`, in every element of every input?
inline testing::AssertionResult gradients_agree(const LossFunction& loss,
                                                const std::vector<CheckedTensor>& inputs) {
  const std::string errors = gradient_errors(loss, inputs);
  if (errors.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << errors;
}

}  // namespace plainformer
