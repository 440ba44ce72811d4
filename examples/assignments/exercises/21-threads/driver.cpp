#include "driver.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
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

// A thread that is started anew has not been seen, even if the system gives it the number of one that has ended.
void see_this_thread() {
  thread_local bool is_seen = false;
  if (!is_seen) ++threads_seen;
  is_seen = true;
}

// Do other threads than those of set_threads(3) serve many loops? The caller waits in each until a worker has come.
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

}  // namespace

std::vector<Stage> stages() {
  return {{"parallel_for", show_all}, {"parallel_for, in many loops", show_threads}};
}

}  // namespace plainformer::course
