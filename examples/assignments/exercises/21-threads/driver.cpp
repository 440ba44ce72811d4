#include "driver.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <limits>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/thread_pool.h"

namespace plainformer::course {
namespace {

// Static, because a loop that does not wait for its workers leaves them behind.
std::atomic<bool> worker_has_begun, worker_has_finished;
std::thread::id caller;
std::chrono::steady_clock::time_point deadline;

// A worker's first range takes long. The caller's first range waits until a worker has begun.
bool waits_for_its_workers() {
  using namespace std::chrono_literals;
  set_threads(3);
  worker_has_begun = worker_has_finished = false;
  caller = std::this_thread::get_id();
  deadline = std::chrono::steady_clock::now() + 2s;
  parallel_for(100, 1, [](Index, Index) {
    if (std::this_thread::get_id() == caller) {
      while (!worker_has_begun && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    } else if (!worker_has_begun.exchange(true)) {
      std::this_thread::sleep_for(500ms);
      worker_has_finished = true;
    }
  });
  const bool waited = worker_has_finished;
  show("a worker has begun", worker_has_begun);
  show("the worker has finished", waited);
  if (!waited) std::this_thread::sleep_for(700ms);
  return waited;
}

// Where the ranges of a loop begin, then where they end; sorted, since any thread may take any range at any
// time.
void show_ranges(const char* name, Index count, Index grain) {
  std::mutex mutex;
  std::vector<double> begins, ends;
  try {
    parallel_for(count, grain, [&](Index begin, Index end) {
      const std::lock_guard<std::mutex> lock(mutex);
      begins.push_back(static_cast<double>(begin));
      ends.push_back(static_cast<double>(end));
    });
  } catch (const std::exception&) {
    begins.clear();
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  begins.insert(begins.end(), ends.begin(), ends.end());
  show(name, begins);
}

// All ranges throw. Which of them begin depends on the threads, but none throws twice.
void show_exceptions() {
  std::atomic<int> begun = 0;
  bool arrives = false;
  try {
    parallel_for(100, 1, [&](Index, Index) {
      ++begun;
      throw std::runtime_error("each");
    });
  } catch (const std::runtime_error&) {
    arrives = true;
  }
  show("an exception arrives", arrives);
  show("more ranges begin than threads", begun > 3);
}

std::atomic<int> threads_seen = 0;

// A thread that is started anew has not been seen, even if the system gives it the number of one that has
// ended.
void see_this_thread() {
  thread_local bool is_seen = false;
  if (!is_seen) ++threads_seen;
  is_seen = true;
}

// Do other threads than those of set_threads(3) serve many loops? The caller waits in each until a worker has
// come.
double starts_more_threads() {
  using namespace std::chrono_literals;
  threads_seen = 0;
  for (int loop = 0; loop < 10; ++loop) {
    std::atomic<bool> worker_has_come = false;
    const auto end = std::chrono::steady_clock::now() + 1s;
    parallel_for(24, 1, [&](Index, Index) {
      see_this_thread();
      if (std::this_thread::get_id() != caller) worker_has_come = true;
      while (!worker_has_come && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
  }
  return threads_seen > 3;
}

void show_all() {
  if (!waits_for_its_workers()) return;
  show_ranges("ranges", 100, 1);
  show_ranges("ranges of a coarse grain", 1000, 90);
  show_ranges("ranges below the grain", 10, 10);
  show_exceptions();
  show_ranges("ranges after an exception", 101, 1);
}

void show_threads() {
  if (waits_for_its_workers()) show("more threads than the pool has", starts_more_threads());
}

// Inside a loop, another loop is one plain call in the same thread.
void show_nested_loops() {
  set_threads(3);
  std::atomic<int> calls = 0, indices = 0, elsewhere = 0;
  parallel_for(8, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const std::thread::id outer = std::this_thread::get_id();
      parallel_for(100, 1, [&](Index inner_begin, Index inner_end) {
        elsewhere += std::this_thread::get_id() != outer;
        ++calls;
        indices += static_cast<int>(inner_end - inner_begin);
      });
    }
  });
  show("calls", calls);
  show("indices", indices);
  show("calls in another thread", elsewhere);
}

void show_tiny_loops() {
  set_threads(3);
  std::atomic<int> sum = 0;
  for (int loop = 0; loop < 2'000; ++loop)
    parallel_for(3, 1, [&](Index begin, Index end) { sum += static_cast<int>(end - begin); });
  show("indices", sum);
}

// --- speed: the pool against one thread, and against threads that are started for each loop, in the same run

#ifdef COURSE_ORACLE

void show_cost_of_a_loop() {
  show_text("a loop", "costs less than the start of a thread");
}

void show_share_of_the_work() {
  show_text("a second thread", "takes a third of the work");
}

#else

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

void show_cost_of_a_loop() {
  set_threads(2);
  const double loop = shortest_of([] { parallel_for(8, 1, [](Index, Index) {}); });
  const double start = shortest_of([] { std::thread([] {}).join(); });
  std::printf("a loop %.1f us, the start of a thread %.1f us\n", 1e6 * loop, 1e6 * start);
  show_text("a loop",
            loop < start ? "costs less than the start of a thread" : "costs more than the start of a thread");
}

constexpr int kRoundsOfAnIndex = 20'000;
std::atomic<unsigned> sum_of_work = 0;
std::atomic<bool> second_has_begun = false;

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
       !second_has_begun && std::chrono::steady_clock::now() < end;)
    std::this_thread::sleep_for(100us);
}

// The time that the caller itself computes. A thread that sleeps does not count, nor do other programs.
double callers_time(int of_threads, Index count) {
  set_threads(of_threads);
  second_has_begun = of_threads == 1;
  const std::thread::id caller = std::this_thread::get_id();
  const double start = processor_time();
  parallel_for(count, 1, [caller](Index begin, Index end) {
    if (std::this_thread::get_id() != caller)
      second_has_begun = true;
    else if (!second_has_begun)
      wait_for_the_worker();
    work_on(begin, end);
  });
  return processor_time() - start;
}

void show_share_of_the_work() {
  const Index count = 200 + static_cast<Index>(std::random_device()() % 100);
  double alone = std::numeric_limits<double>::infinity(), with_another = alone;
  for (int run = 0; run < 7; ++run) {
    alone = std::min(alone, callers_time(1, count));
    with_another = std::min(with_another, callers_time(2, count));
  }
  std::printf("the caller computes %.0f %% of its time alone\n", 100 * with_another / alone);
  show_text("a second thread", with_another < alone * 2 / 3 ? "takes a third of the work"
                                                            : "takes less than a third of the work");
}

#endif

}  // namespace

std::vector<Stage> stages() {
  return {{"parallel_for", show_all},
          {"parallel_for, in many loops", show_threads},
          {"nested loops", show_nested_loops},
          {"many tiny loops", show_tiny_loops},
          {"the cost of a loop", show_cost_of_a_loop},
          {"the work of two threads", show_share_of_the_work}};
}

}  // namespace plainformer::course
