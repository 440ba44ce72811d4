#include "core/operation_calls.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

TEST(OperationCalls, TwoReadingsDifferByTheCallsBetweenThem) {
  const std::int64_t before = operation_calls();
  EXPECT_EQ(operation_calls(), before);
  count_operation_call();
  count_operation_call();
  EXPECT_EQ(operation_calls() - before, 2);
}

}  // namespace
}  // namespace plainformer
