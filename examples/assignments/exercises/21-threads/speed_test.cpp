// The pool against one thread, and against threads that are started anew, in the same run. Counts and grains are drawn at
// random.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <limits>
#include <random>
#include <thread>

#include "core/random.h"
#include "core/thread_pool.h"
#include "system.h"

namespace plainformer::course {
namespace {

Random a_random() {
  std::random_device device;
  return Random(random_stream(device(), device(), 0));
}

std::atomic<int> threads_seen = 0;

// A thread that is started anew has not been seen, even if the system gives it the number of one that has ended.
void see_this_thread() {
  thread_local bool is_seen = false;
  if (!is_seen) ++threads_seen;
  is_seen = true;
}

TEST(ThreadSpeed, TheSameThreadsServeEveryLoop) {
  set_threads(3);
  threads_seen = 0;
  Random random = a_random();
  for (int loop = 0; loop < 200; ++loop) {
    std::atomic<Index> done = 0;
    const Index count = 10 + random.below(1000);
    parallel_for(count, 1, [&](Index begin, Index end) {
      see_this_thread();
      done += end - begin;
      std::this_thread::sleep_for(std::chrono::microseconds(20));  // long enough for a worker to wake up
    });
    ASSERT_EQ(done, count);
  }
  EXPECT_GT(threads_seen, 1) << "only one thread has worked";
  EXPECT_LE(threads_seen, 3) << "threads were started after set_threads(3)";
}

double seconds_of(void (*work)()) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The shortest of many runs: other programs on the machine lengthen some of them.
double shortest_of(void (*work)()) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 300; ++run) shortest = std::min(shortest, seconds_of(work));
  return shortest;
}

TEST(ThreadSpeed, ALoopCostsLessThanTheStartOfAThread) {
  set_threads(2);
  const double loop = shortest_of([] { parallel_for(8, 1, [](Index, Index) {}); });
  const double start = shortest_of([] { std::thread([] {}).join(); });
  std::printf("a loop %.1f us, the start of a thread %.1f us\n", 1e6 * loop, 1e6 * start);
  EXPECT_LT(loop, start);
}

constexpr int kRoundsOfAnIndex = 20'000;
std::atomic<unsigned> sum_of_work = 0;
std::atomic<bool> worker_has_begun = false;

void work_on(Index begin, Index end) {
  unsigned sum = 1;
  for (Index i = begin; i < end; ++i)
    for (int round = 0; round < kRoundsOfAnIndex; ++round) sum = sum * 1664525u + 1013904223u;
  sum_of_work += sum;
}

// On a busy machine a worker waits for a processor. The caller sleeps until then.
void wait_for_the_worker() {
  using namespace std::chrono_literals;
  for (const auto end = std::chrono::steady_clock::now() + 1s;
       !worker_has_begun && std::chrono::steady_clock::now() < end;)
    std::this_thread::sleep_for(100us);
}

// The time that the caller itself computes. A thread that sleeps does not count, nor do other programs.
double callers_time(int of_threads, Index count) {
  set_threads(of_threads);
  worker_has_begun = of_threads == 1;
  const std::thread::id caller = std::this_thread::get_id();
  const double start = processor_time();
  parallel_for(count, 1, [caller](Index begin, Index end) {
    if (std::this_thread::get_id() != caller)
      worker_has_begun = true;
    else if (!worker_has_begun)
      wait_for_the_worker();
    work_on(begin, end);
  });
  return processor_time() - start;
}

TEST(ThreadSpeed, ASecondThreadTakesAThirdOfTheWork) {
  const Index count = 200 + a_random().below(100);
  double alone = std::numeric_limits<double>::infinity(), with_another = alone;
  for (int run = 0; run < 7; ++run) {
    alone = std::min(alone, callers_time(1, count));
    with_another = std::min(with_another, callers_time(2, count));
  }
  std::printf("the caller computes %.0f %% of its time alone\n", 100 * with_another / alone);
  EXPECT_LT(with_another, alone * 2 / 3);
}

}  // namespace
}  // namespace plainformer::course
