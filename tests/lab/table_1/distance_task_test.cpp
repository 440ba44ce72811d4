#include "lab/table_1/distance_task.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "ops/cross_entropy.h"

namespace plainformer {
namespace {

TEST(DistanceTask, CopyAsksForTheSymbolADistanceAgo) {
  Random random(random_stream(1, 2, 3));
  const TaskBatch batch = draw_task(DistanceTask::kCopy, 5, 3, true, random);
  const Index len = 1 + 5 + kCopiedSymbols;
  ASSERT_EQ(batch.tokens.batch, 3);
  ASSERT_EQ(batch.tokens.len, len);
  ASSERT_EQ(std::ssize(batch.targets), 3 * len);
  for (Index row = 0; row < 3 * len; ++row) {
    const Index t = row % len;
    EXPECT_EQ(batch.tokens.ids[row] == kTaskBegin, t == 0);
    EXPECT_TRUE(t == 0 || batch.tokens.ids[row] < kTaskSymbols);
    EXPECT_EQ(batch.targets[row], t < 6 ? kNoTarget : batch.tokens.ids[row - 5]);
  }
}

// How far before the question is the marked symbol?
Index distance_to_mark(const TaskBatch& batch, Index element) {
  const Index len = batch.tokens.len;
  Index distance = 0, marks = 0;
  for (Index t = 0; t < len; ++t) {
    const int id = batch.tokens.ids[element * len + t];
    if (id < kTaskMark || id >= kTaskBegin) continue;
    ++marks;
    distance = len - 1 - t;
    EXPECT_EQ(batch.targets[element * len + len - 1], id - kTaskMark);
  }
  EXPECT_EQ(marks, 1);
  return distance;
}

TEST(DistanceTask, RecallAsksForTheMarkedSymbolAtTheEnd) {
  Random random(random_stream(1, 2, 3));
  const TaskBatch exact = draw_task(DistanceTask::kRecall, 4, 100, false, random);
  const TaskBatch nearer = draw_task(DistanceTask::kRecall, 4, 100, true, random);
  std::set<Index> distances;
  for (Index element = 0; element < 100; ++element) {
    EXPECT_EQ(distance_to_mark(exact, element), 4);
    distances.insert(distance_to_mark(nearer, element));
    EXPECT_EQ(exact.tokens.ids[element * 6], kTaskBegin);
    EXPECT_EQ(exact.tokens.ids[element * 6 + 5], kTaskQuestion);
    for (Index t = 0; t < 5; ++t) EXPECT_EQ(exact.targets[element * 6 + t], kNoTarget);
  }
  EXPECT_EQ(distances, (std::set<Index>{1, 2, 3, 4}));
}

TEST(DistanceTask, RefusesNoDistance) {
  Random random(random_stream(1, 2, 3));
  EXPECT_THROW(draw_task(DistanceTask::kCopy, 0, 1, true, random), std::logic_error);
}

}  // namespace
}  // namespace plainformer
