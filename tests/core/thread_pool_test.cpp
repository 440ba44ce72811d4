#include "core/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/thrown_message.h"

namespace plainformer {
namespace {

class ThreadPool : public testing::Test {
 protected:
  void SetUp() override { set_threads(3); }
  void TearDown() override { set_threads(threads_before_); }

 private:
  const int threads_before_ = threads();
};

TEST_F(ThreadPool, CoversEveryIndexOnce) {
  for (int count_of_threads : {1, 2, 3, 7, 2, 2, 1}) {
    set_threads(count_of_threads);
    EXPECT_EQ(threads(), count_of_threads);
    for (Index count : {0, 1, 2, 7, 100, 12'345})
      for (Index grain : {1, 3, 64}) {
        std::vector<std::atomic<int>> visits(count);
        parallel_for(count, grain, [&](Index begin, Index end) {
          EXPECT_GT(count, 0) << "a call for no index";
          for (Index i = begin; i < end; ++i) ++visits[i];
        });
        for (Index i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << i << " of " << count;
      }
  }
}

TEST_F(ThreadPool, HandsOverNoRangeSmallerThanTheGrain) {
  std::mutex mutex;
  std::vector<Index> lengths;
  parallel_for(1000, 90, [&](Index begin, Index end) {
    std::lock_guard<std::mutex> lock(mutex);
    lengths.push_back(end - begin);
  });
  EXPECT_GT(lengths.size(), 1u);
  EXPECT_LE(std::count_if(lengths.begin(), lengths.end(), [](Index length) { return length < 90; }), 1)
      << "the rest";
}

TEST_F(ThreadPool, WorkBelowTheGrainOrOfOneThreadIsAPlainCall) {
  const std::thread::id caller = std::this_thread::get_id();
  for (const auto& [count_of_threads, grain] : {std::pair{3, Index{10}}, {1, Index{1}}}) {
    set_threads(count_of_threads);
    int calls = 0;
    parallel_for(10, grain, [&](Index begin, Index end) {
      ++calls;
      EXPECT_EQ(begin, 0);
      EXPECT_EQ(end, 10);
      EXPECT_EQ(std::this_thread::get_id(), caller);
    });
    EXPECT_EQ(calls, 1);
  }
  EXPECT_THROW(parallel_for(1, 1, [](Index, Index) { throw std::runtime_error("inline"); }),
               std::runtime_error);
}

TEST_F(ThreadPool, NestedLoopsRunInline) {
  std::atomic<int> inner_calls = 0, inner_indices = 0;
  parallel_for(8, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const std::thread::id outer_thread = std::this_thread::get_id();
      EXPECT_EQ(threads(), 1);
      parallel_for(100, 1, [&](Index inner_begin, Index inner_end) {
        EXPECT_EQ(std::this_thread::get_id(), outer_thread);
        ++inner_calls;
        inner_indices += static_cast<int>(inner_end - inner_begin);
      });
    }
  });
  EXPECT_EQ(inner_calls, 8);
  EXPECT_EQ(inner_indices, 800);
}

TEST_F(ThreadPool, RethrowsAnExceptionOnceAllHaveFinished) {
  for (int repetition = 0; repetition < 100; ++repetition) {
    std::atomic<int> inside = 0;
    const std::string message = error_of([&] {
      parallel_for(64, 1, [&](Index begin, Index end) {
        ++inside;
        const bool unlucky = begin <= 17 && 17 < end;
        if (!unlucky) std::this_thread::sleep_for(std::chrono::microseconds(100));
        --inside;
        if (unlucky) throw std::runtime_error("index 17");
      });
    });
    ASSERT_EQ(message, "index 17");
    ASSERT_EQ(inside, 0);
  }
}

// A thread whose range has thrown begins no other.
TEST_F(ThreadPool, BeginsNoRangeAfterAnException) {
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::atomic<int> begun = 0;
    EXPECT_THROW(parallel_for(64, 1,
                              [&](Index, Index) {
                                ++begun;
                                throw std::runtime_error("each");
                              }),
                 std::runtime_error);
    ASSERT_LE(begun, threads());
  }
}

TEST_F(ThreadPool, ManyTinyJobs) {
  std::vector<Index> written(16);
  for (Index job = 0; job < 5000; ++job) {
    parallel_for(16, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) written[i] = job + i;
    });
    for (Index i = 0; i < 16; ++i) ASSERT_EQ(written[i], job + i);
  }
}

// Each index waits for the others, so that each thread must take one.
TEST_F(ThreadPool, WakesSleepersUp) {
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // long enough for the workers to fall asleep
    std::atomic<Index> arrived = 0;
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    parallel_for(3, 1, [&](Index, Index) {
      ++arrived;
      while (arrived < 3 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
      EXPECT_EQ(arrived, 3);
    });
  }
}

TEST_F(ThreadPool, RefusesSizesThatMakeNoSense) {
  EXPECT_THROW(set_threads(0), std::logic_error);
  EXPECT_THROW(set_threads(-1), std::logic_error);
  EXPECT_THROW(set_threads(1025), std::logic_error);
  EXPECT_THROW(parallel_for(64, 1, [](Index, Index) { set_threads(2); }), std::logic_error) << "from inside";
  EXPECT_THROW(parallel_for(10, 0, [](Index, Index) {}), std::logic_error) << "a grain of 0";
  EXPECT_EQ(threads(), 3);
}

}  // namespace
}  // namespace plainformer
