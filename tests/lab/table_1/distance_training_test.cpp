#include "lab/table_1/distance_training.h"

#include <gtest/gtest.h>

#include "core/thread_pool.h"
#include "support/gradient_check.h"

namespace plainformer {
namespace {

DistanceTrainingOptions small(Index steps) {
  return {
      .sizes = {.d = 16, .heads = 2, .kernel = 3, .neighbors = 5, .global = 1}, .steps = steps, .batch = 8};
}

double accuracy(DistanceTask task, LayerKind kind, Index distance, Index steps) {
  return train_over_distance(task, kind, distance, small(steps)).accuracy;
}

// Two layers of kernel 3 hear 4 positions back, and no further.
TEST(DistanceTraining, AConvolutionCopiesAsFarAsItHears) {
  EXPECT_GT(accuracy(DistanceTask::kCopy, LayerKind::kConvolution, 2, 150), 0.95);
  EXPECT_LT(accuracy(DistanceTask::kCopy, LayerKind::kConvolution, 5, 150), 0.15);
}

// A window of 3 hears 2 positions back in two layers. A global position sees all.
TEST(DistanceTraining, AGlobalPositionRecallsBeyondTheWindow) {
  const auto recalled = [](LayerKind kind) {
    DistanceTrainingOptions options = small(250);
    options.sizes.d = 32;
    options.sizes.neighbors = 3;
    options.batch = 16;
    return train_over_distance(DistanceTask::kRecall, kind, 5, options).accuracy;
  };
  EXPECT_LT(recalled(LayerKind::kNeighbors), 0.2);
  EXPECT_GT(recalled(LayerKind::kNeighborsAndGlobal), 0.9);
}

TEST(DistanceTraining, StopsWhenNoMistakeIsLeft) {
  const DistanceResult result =
      train_over_distance(DistanceTask::kCopy, LayerKind::kConvolution, 1, small(2000));
  EXPECT_EQ(result.accuracy, 1);
  EXPECT_LT(result.steps, 1000);
}

TEST(DistanceTraining, IsTheSameForAnyNumberOfThreads) {
  const int before = threads();
  for (const LayerKind kind : layer_kinds()) {
    set_threads(1);
    const double expected = train_over_distance(DistanceTask::kCopy, kind, 3, small(10)).loss;
    set_threads(3);
    EXPECT_EQ(train_over_distance(DistanceTask::kCopy, kind, 3, small(10)).loss, expected) << name_of(kind);
  }
  set_threads(before);
}

GRADIENT_TEST(DistanceModel, Gradient) {
  const LayerSizes sizes = {.d = 4, .heads = 2, .kernel = 2, .neighbors = 3, .global = 1};
  for (const LayerKind kind : layer_kinds()) {
    Random random(random_stream(1, 2, 3));
    const TaskBatch batch = draw_task(DistanceTask::kRecall, 3, 2, true, random);
    DistanceModel model(kind, sizes, 2, batch.tokens.len, 5);
    model.forward_backward(batch);
    const std::vector<Differentiated> inputs = differentiated(model.parameters());
    EXPECT_TRUE(gradients_agree([&] { return model.forward_backward(batch); }, inputs)) << name_of(kind);
  }
}

}  // namespace
}  // namespace plainformer
