// 6.1 Machine Translation: the mean of checkpoints.
#include "training/checkpoint_average.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/tensors.h"
#include "support/thrown_message.h"

namespace plainformer {
namespace {

std::vector<NamedTensor> checkpoint(const std::vector<double>& first, const std::vector<double>& second) {
  return {{"first", tensor({2}, first)}, {"second", tensor({1, 3}, second)}};
}

TEST(CheckpointAverage, IsTheMeanOfEachElement) {
  CheckpointAverage sums;
  sums.add(checkpoint({1, 2}, {0, 3, -6}), "a");
  sums.add(checkpoint({3, 6}, {0, 6, 6}), "b");
  sums.add(checkpoint({5, 1}, {9, 0, 3}), "c");
  EXPECT_EQ(sums.count(), 3);

  const auto mean = sums.average();
  ASSERT_EQ(mean.size(), 2u);
  EXPECT_EQ(mean[0].name, "first");
  EXPECT_EQ(mean[1].name, "second");
  EXPECT_TRUE(near(mean[0].tensor, {2}, {3, 3}, 0));
  EXPECT_TRUE(near(mean[1].tensor, {1, 3}, {3, 3, 1}, 0));
}

// 2^24 + 1 is no float: a sum in float would lose each of the ones.
TEST(CheckpointAverage, AddsUpInDouble) {
  CheckpointAverage sums;
  sums.add(checkpoint({16777216, 0}, {0, 0, 0}), "a");
  for (int i = 0; i < 7; ++i) sums.add(checkpoint({1, 0}, {0, 0, 0}), "b");
  EXPECT_EQ(double(sums.average()[0].tensor.data()[0]), double(static_cast<Real>(16777223.0 / 8)));
}

TEST(CheckpointAverage, RefusesCheckpointsOfAnotherModel) {
  CheckpointAverage sums;
  sums.add(checkpoint({1, 2}, {0, 3, -6}), "a");
  const std::vector<std::vector<NamedTensor>> others = {
      {{"first", tensor({2}, {1, 2})}},
      {{"first", tensor({2}, {1, 2})}, {"second", tensor({1, 3}, {1, 2, 3})}, {"third", tensor({1}, {1})}},
      {{"first", tensor({2}, {1, 2})}, {"third", tensor({1, 3}, {1, 2, 3})}},
      {{"first", tensor({2}, {1, 2})}, {"second", tensor({3, 1}, {1, 2, 3})}},
  };
  for (const auto& other : others) {
    const std::string message = error_of([&] { sums.add(other, "b.safetensors"); });
    EXPECT_EQ(message.rfind("b.safetensors: its tensors differ", 0), 0u) << message;
  }
  EXPECT_EQ(sums.count(), 1);
  EXPECT_TRUE(near(sums.average()[0].tensor, {2}, {1, 2}, 0));
}

TEST(CheckpointAverage, OfNoneIsAMistake) {
  EXPECT_THROW(CheckpointAverage().average(), std::logic_error);
}

}  // namespace
}  // namespace plainformer
