#include "core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/check.h"
#include "core/input_error.h"
#include "core/number_text.h"
#include "core/storage.h"
#include "platform/compiler.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

constexpr int kMaxThreads = 1024;
constexpr Index kRangesPerThread = 4;   // more than 1, so that other threads can take over from a delayed one
constexpr std::size_t kCacheLine = 64;  // bytes
constexpr int kSpins = 4000;            // a waiting thread polls this many times, then sleeps

thread_local bool inside_parallel_for = false;

// Waits until `value` differs from `old`: polls for a while, then sleeps.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  while (value.load(std::memory_order_acquire) == old) sleep_while(value, old);
}

// The threads, which run one parallel_for at a time. The caller opens a job, works on it, closes it, and
// waits until all workers inside have left. A worker that wakes up too late finds the job closed and goes
// back to sleep, so no thread waits for a sleeping worker.
class ThreadPool {
 public:
  explicit ThreadPool(int threads) {
    workers_.reserve(threads - 1);
    try {
      for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
    } catch (const std::exception&) {  // the system has no more threads, or no memory for one
      stop();
      throw input_error("threads",
                        "the system can start only " + std::to_string(this->threads()) + " at present",
                        "set PLAINFORMER_THREADS or --threads to a lower number");
    }
    reserve_scratch();
    for (std::uint32_t started; (started = started_.load(std::memory_order_acquire)) < workers_.size();)
      wait_for_change(started_, started);
  }

  ~ThreadPool() { stop(); }

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  void run(Index count, Index range, detail::RangeFunction function, void* body) {
    count_ = count;
    range_ = range;
    function_ = function;
    body_ = body;
    error_ = nullptr;
    next_.store(0, std::memory_order_relaxed);
    inside_.store(0, std::memory_order_release);  // open
    job_number_.fetch_add(1, std::memory_order_release);
    wake_sleepers(job_number_);

    take_ranges();

    std::uint32_t inside = inside_.fetch_or(kClosed, std::memory_order_acq_rel) | kClosed;
    while (inside != kClosed) {
      wait_for_change(inside_, inside);
      inside = inside_.load(std::memory_order_acquire);
    }
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr std::uint32_t kClosed = 1u << 31;

  void stop() {
    stopping_.store(true);
    job_number_.fetch_add(1);
    wake_sleepers(job_number_);
    for (std::thread& worker : workers_) worker.join();
  }

  void work() {
    inside_parallel_for = true;  // a worker runs nothing else
    reserve_scratch();
    started_.fetch_add(1, std::memory_order_release);
    wake_sleepers(started_);
    std::uint32_t seen = 0;
    while (true) {
      wait_for_change(job_number_, seen);
      seen = job_number_.load(std::memory_order_acquire);
      if (stopping_.load()) return;
      if (!enter()) continue;
      take_ranges();
      inside_.fetch_sub(1, std::memory_order_acq_rel);
      wake_sleepers(inside_);
    }
  }

  bool enter() {
    std::uint32_t inside = inside_.load(std::memory_order_acquire);
    while (!(inside & kClosed)) {
      if (inside_.compare_exchange_weak(inside, inside + 1, std::memory_order_acq_rel)) return true;
    }
    return false;
  }

  void take_ranges() {
    while (true) {
      const Index begin = next_.fetch_add(range_, std::memory_order_relaxed);
      if (begin >= count_) return;
      try {
        function_(body_, begin, std::min(begin + range_, count_));
      } catch (...) {
        std::lock_guard<std::mutex> lock(error_mutex_);
        if (!error_) error_ = std::current_exception();
        next_.store(count_, std::memory_order_relaxed);
      }
    }
  }

  // A variable that one thread often writes has a cache line of its own. Otherwise all threads would fetch
  // its line again and again: those that wait for job_number_, and those that read the job.
  std::vector<std::thread> workers_;
  std::atomic<std::uint32_t> started_ = 0;  // workers
  std::atomic<bool> stopping_ = false;
  alignas(kCacheLine) std::atomic<std::uint32_t> job_number_ = 0;
  alignas(kCacheLine) std::atomic<std::uint32_t> inside_ = kClosed;  // workers in the job, and the closed bit
  alignas(kCacheLine) std::atomic<Index> next_ = 0;
  alignas(kCacheLine) Index count_ = 0;  // the job: it changes only while no worker is inside
  Index range_ = 0;
  detail::RangeFunction function_ = nullptr;
  void* body_ = nullptr;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

// The pool. It is null before the first use, so that set_threads does not start the default threads first.
std::unique_ptr<ThreadPool>& pool_if_any() {
  static std::unique_ptr<ThreadPool> instance;
  return instance;
}

ThreadPool& pool() {
  std::unique_ptr<ThreadPool>& instance = pool_if_any();
  if (!instance) instance = std::make_unique<ThreadPool>(default_threads());
  return *instance;
}

}  // namespace

int default_threads() {
  const char* const variable = std::getenv("PLAINFORMER_THREADS");
#ifdef PLAINFORMER_PLAIN_BY_DEFAULT  // the build to step through: the debugger stays in one thread
  if (!variable) return 1;
#endif
  if (!variable) return std::min(usable_processors(), kMaxThreads);
  const std::optional<int> count = parse_number<int>(variable);
  if (count && *count >= 1 && *count <= kMaxThreads) return *count;
  throw input_error("PLAINFORMER_THREADS", "\"" + std::string(variable) + "\" is not a number of threads",
                    "set it to a whole number from 1 to 1024, or unset it");
}

int threads() {
  return inside_parallel_for ? 1 : pool().threads();
}

void set_threads(int count) {
  CHECK(count >= 1 && count <= kMaxThreads, "threads ", count);
  CHECK(!inside_parallel_for, "set_threads inside parallel_for");
  std::unique_ptr<ThreadPool>& instance = pool_if_any();
  if (!instance || count != instance->threads()) instance = std::make_unique<ThreadPool>(count);
}

namespace detail {

void parallel_for(Index count, Index grain, RangeFunction function, void* body) {
  CHECK(grain >= 1, "grain ", grain);
  if (count <= 0) return;
  if (count <= grain || threads() == 1) return function(body, 0, count);

  struct Mark {
    Mark() { inside_parallel_for = true; }
    ~Mark() { inside_parallel_for = false; }
  } mark;
  const Index ranges = kRangesPerThread * pool().threads();
  pool().run(count, std::max(grain, (count + ranges - 1) / ranges), function, body);
}

}  // namespace detail

}  // namespace plainformer
