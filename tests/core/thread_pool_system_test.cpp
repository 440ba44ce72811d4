// The pool of threads and what the system gives it: memory, and the variable PLAINFORMER_THREADS.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/storage.h"
#include "core/thread_pool.h"
#include "io/temporary_folder.h"
#include "support/pattern.h"
#include "support/sanitized.h"
#include "support/thrown_message.h"
#include "system/process.h"
#include "system/system.h"

namespace plainformer {
namespace {

// --- how the pool gets along with little memory, each time in a process of its own

constexpr std::uintmax_t kMegabyte = 1 << 20;
constexpr int kCannotLimit = 77;

Index sum_of_ranges() {
  std::atomic<Index> sum = 0;
  parallel_for(1000, 1, [&](Index begin, Index end) { sum += end - begin; });
  return sum;
}

const Role ask_for_too_many("ask_for_too_many_threads", [](const std::vector<std::string>&) -> int {
  set_threads(2);
  if (!limit_memory(3 * stack_of_a_thread() + kMegabyte)) return kCannotLimit;
  std::cout << error_of([] { set_threads(1024); });
  std::cout << "; still " << threads() << " threads, sum " << sum_of_ranges() << std::flush;
  std::_Exit(0);
});

const Role start_without_memory("start_threads_without_memory", [](const std::vector<std::string>&) -> int {
  // A scratch has at least 16 megabytes.
  if (!limit_memory(stack_of_a_thread() + 4 * kMegabyte)) return kCannotLimit;
  set_threads(2);
  std::cout << threads() << " threads, sum " << sum_of_ranges();
  try {
    parallel_for(2, 1, [](Index, Index) { Scratch().take(1); });
  } catch (const std::bad_alloc&) {
    std::cout << ", out of memory" << std::flush;
  }
  std::_Exit(0);
});

class ThreadPoolWithLittleMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer takes more address space than the limit allows";
  }

  void expect_to_print(const std::string& role, const std::string& pattern) {
    const TemporaryFolder folder;
    ProgramSetup setup = as_role(role);
    setup.stdout_path = folder.path_of("out");
    ChildProcess process(setup);
    const int exit_code = process.wait().exit_code;
    if (exit_code == kCannotLimit) GTEST_SKIP() << "this system does not limit the memory of a process";
    EXPECT_EQ(exit_code, 0);
    EXPECT_TRUE(Pattern(pattern).matches(folder.read("out"))) << folder.read("out");
  }
};

TEST_F(ThreadPoolWithLittleMemory, RefusesMoreThreadsThanTheSystemGivesAndKeepsThoseItHas) {
  expect_to_print("ask_for_too_many_threads",
                  "threads: the system can start only [0-9]+ at present "
                  "\\(hint: set PLAINFORMER_THREADS or --threads to a lower number\\); "
                  "still 2 threads, sum 1000");
}

TEST_F(ThreadPoolWithLittleMemory, AThreadWithoutMemoryOfItsOwnStartsAndTellsWhenItNeedsSome) {
  expect_to_print("start_threads_without_memory", "2 threads, sum 1000, out of memory");
}

class ThreadsVariable : public testing::Test {
 protected:
  const EnvironmentVariable variable_{"PLAINFORMER_THREADS"};
};

TEST_F(ThreadsVariable, SetsTheDefault) {
  for (int count : {1, 7, 1024}) {
    variable_.set(std::to_string(count));
    EXPECT_EQ(default_threads(), count);
  }
}

TEST_F(ThreadsVariable, IsTheMachinesBusinessWhenUnset) {
  variable_.unset();
  EXPECT_GE(default_threads(), 1);
  EXPECT_LE(default_threads(), 1024);
}

TEST_F(ThreadsVariable, RefusesWhatIsNoNumberOfThreads) {
  for (const char* text :
       {"", "0", "1025", "-1", "+2", " 2", "2 ", "2.0", "two", "0x2", "99999999999999999999"}) {
    variable_.set(text);
    const std::string expected = "PLAINFORMER_THREADS: \"" + std::string(text) +
                                 "\" is not a number of threads (hint: set it to a whole number from 1 to "
                                 "1024, or unset it)";
    EXPECT_EQ(error_of([] { default_threads(); }), expected);
  }
}

}  // namespace
}  // namespace plainformer
