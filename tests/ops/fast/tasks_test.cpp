#include "ops/fast/tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/thread_pool.h"

namespace plainformer {
namespace {

class ForEachTask : public testing::Test {
 protected:
  void TearDown() override { set_threads(threads_before_); }

  const int threads_before_ = threads();
};

TEST_F(ForEachTask, CallsEachIndexOnceForAnyNumberOfThreads) {
  for (const int count : {1, 2, 3, 8}) {
    set_threads(count);
    for (const std::size_t tasks : {0, 1, 3, 20}) {
      std::vector<std::atomic<int>> calls(tasks);
      for_each_task(tasks, [&](std::size_t i) { ++calls[i]; });
      for (const auto& each : calls) EXPECT_EQ(each, 1) << count << " threads, " << tasks << " tasks";
    }
  }
}

TEST_F(ForEachTask, BeginsNoOtherTaskAfterAnException) {
  struct Stopped {};
  set_threads(2);
  std::atomic<int> calls = 0;
  EXPECT_THROW(for_each_task(100,
                             [&](std::size_t i) {
                               ++calls;
                               while (i == 0 && calls < 2)
                                 std::this_thread::yield();  // until the other thread works, too
                               if (i == 0) throw Stopped();
                               std::this_thread::sleep_for(std::chrono::milliseconds(5));
                             }),
               Stopped);
  EXPECT_LT(calls, 100);  // the other thread would have gone on to the last
}

}  // namespace
}  // namespace plainformer
