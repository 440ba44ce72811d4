#include "process.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include "io/temporary_folder.h"
#include "platform/platform.h"
#include "system/process.h"
#include "system/system.h"

namespace plainformer::course {
namespace {

namespace fs = std::filesystem;

void wait(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void print(std::string_view text, int file = 1) {
  while (!text.empty()) {
    const std::ptrdiff_t count = write_bytes(file, text);
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

// --- what this program does as a child ---

const Role speak("speak", [](const auto&) {
  print("to stdout\n");
  print("to stderr\n", 2);
  print("to three\n", 3);
  return 3;
});

const Role pause_for("pause_for", [](const auto& arguments) {
  wait(std::atoi(arguments.at(0).c_str()));
  return 0;
});

const Role print_much("print_much", [](const auto&) {
  print(std::string(3'000'000, 'x'));
  return 7;
});

[[noreturn]] void loop() {
  static std::atomic<long> count = 0;
  for (;;) ++count;
}

const Role loop_alone("loop_alone", [](const auto&) -> int {
  print("begun\n");
  loop();
});

const Role loop_in_two_threads("loop_in_two_threads", [](const auto&) -> int {
  std::thread other(loop);
  loop();
});

const Role print_forever("print_forever", [](const auto&) -> int {
  for (;;) print("y\n");
});

// Writes a line into a file every few milliseconds, until it is ended or a minute is over.
const Role write_on("write_on", [](const auto& arguments) {
  std::ofstream file(fs::path(arguments.at(0)));
  for (int i = 0; i < 6'000; ++i) {
    file << i << std::endl;
    wait(10);
  }
  return 0;
});

// Starts a grandchild: write_on.
const Role leave_a_child("leave_a_child", [](const auto& arguments) -> int {
  static ChildProcess* const child = new ChildProcess(as_role("write_on", arguments));
  while (!fs::exists(fs::path(arguments.at(0)))) wait(1);
  print("done\n");
  std::_Exit(child == nullptr ? 1 : 0);
});

const Role wait_for_a_child("wait_for_a_child", [](const auto& arguments) {
  return ChildProcess(as_role("write_on", arguments)).wait().exit_code;
});

const Role close_output("close_output", [](const auto&) {
  { const FileDescriptor one(1), two(2), three(3); }
  wait(100);
  return 5;
});

const Role crash("crash", [](const auto&) {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it
  const GuardedMemory memory(1);
  static_cast<volatile char*>(memory.data())[1] = 1;
  return 0;
});

const Role take_400_megabytes("take_400_megabytes", [](const auto&) {
  try {
    volatile std::size_t megabytes = 400;  // if it were a constant, Clang would take no memory at all
    const std::vector<char> memory(megabytes << 20, 'x');
    return memory.back() == 'x' ? 0 : 1;
  } catch (const std::bad_alloc&) {
    return 1;
  }
});

const Role write_3_megabytes("write_3_megabytes", [](const auto& arguments) {
  std::ofstream file(fs::path(arguments.at(0)), std::ios::binary);
  return file << std::string(3'000'000, 'x') << std::flush ? 0 : 1;
});

const Role print_variables("print_variables", [](const auto& arguments) {
  for (const std::string& name : arguments) print(std::string(std::getenv(name.c_str())) + "\n");
  return 0;
});

const Role print_arguments("print_arguments", [](const auto& arguments) {
  for (const std::string& argument : arguments) print(argument + "\n");
  return 0;
});

// --- the tests ---

ProcessResult run_role(const std::string& role, const std::vector<std::string>& arguments = {},
                       const Limits& limits = {}) {
  return run_process(command_of(as_role(role, arguments)), limits);
}

TEST(Process, KeepsOutputReportAndExitCodeApart) {
  const ProcessResult result = run_role("speak");
  EXPECT_EQ(result.output, "to stdout\nto stderr\n");
  EXPECT_EQ(result.report, "to three\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.ending(), "exit code 3");
}

TEST(Process, ReadsAndDropsWhatIsTooMuch) {
  const ProcessResult result = run_role("print_much", {}, {.seconds = 60});
  EXPECT_EQ(result.output, std::string(1'000'000, 'x'));
  EXPECT_EQ(result.exit_code, 7);
}

TEST(Process, StopsALoop) {
  const ProcessResult result = run_role("loop_alone", {}, {.seconds = 1.0 * kPatience});
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.succeeded());
  EXPECT_TRUE(result.waited);
  EXPECT_EQ(result.output, "begun\n");
  EXPECT_EQ(result.ending().substr(0, 13), "stopped after");
  EXPECT_LT(result.seconds, 10 * kPatience);
}

TEST(Process, StopsAProgramThatPrintsForever) {
  EXPECT_TRUE(run_role("print_forever", {}, {.seconds = 1}).timed_out);
}

// The file into which write_on writes.
struct GrowingFile {
  const TemporaryFolder folder = {};
  const std::string path = folder.path_of("file");

  bool has_begun() const { return fs::exists(fs::path(path)) && fs::file_size(fs::path(path)) > 0; }
  // Does it grow no more? A busy machine may take a while to end the program.
  bool stays() const {
    for (int tries = 0; tries < 50 * kPatience; ++tries) {
      const std::uintmax_t size = fs::file_size(fs::path(path));
      wait(100 * kPatience);
      if (fs::file_size(fs::path(path)) == size) return true;
    }
    return false;
  }
};

TEST(Process, DoesNotWaitForAGrandchildAndEndsIt) {
  const GrowingFile file;
  const ProcessResult result = run_role("leave_a_child", {file.path});
  EXPECT_EQ(result.output, "done\n");
  EXPECT_TRUE(result.succeeded()) << result.ending();
  EXPECT_TRUE(file.stays());
}

TEST(Process, EndsGrandchildrenWhenTimeIsOver) {
  const GrowingFile file;
  EXPECT_TRUE(run_role("wait_for_a_child", {file.path}, {.seconds = 1.0 * kPatience}).timed_out);
  EXPECT_TRUE(file.has_begun());
  EXPECT_TRUE(file.stays());
}

TEST(Process, WaitsForAProgramThatClosedItsOutput) {
  EXPECT_EQ(run_role("close_output").exit_code, 5);
}

TEST(Process, NamesWhatEndedAProgram) {
  const ProcessResult result = run_role("crash");
  EXPECT_NE(result.signal, 0);
  EXPECT_EQ(result.exit_code, -1);
  const std::string ending = result.ending();
  EXPECT_TRUE(ending == "signal 11 (Segmentation fault)" ||    // Linux
              ending == "signal 11 (Segmentation fault: 11)")  // macOS
      << ending;
}

TEST(Process, LimitsTheTimeOnTheProcessor) {
  const ProcessResult result = run_role("loop_alone", {}, {.seconds = 60, .cpu_seconds = 1});
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(result.seconds, 60);
  EXPECT_FALSE(result.waited) << "it was the processor's clock";
  EXPECT_GT(result.cpu_seconds, 0.5) << result.cpu_seconds;
  EXPECT_NE(result.ending().find("stopped after"), std::string::npos);
  const std::string pause = std::to_string(1100 * kPatience);
  EXPECT_FALSE(run_role("pause_for", {pause}, {.seconds = 60, .cpu_seconds = 1.0 * kPatience}).timed_out);
}

// Two loops at once use up a second on the processor before the clock shows one.
TEST(Process, LimitsTheTimeOfAllThreadsTogether) {
  const ProcessResult result = run_role("loop_in_two_threads", {}, {.seconds = 60, .cpu_seconds = 1});
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(result.seconds, 60);
}

TEST(Process, LimitsMemory) {
  EXPECT_TRUE(run_role("take_400_megabytes").succeeded());
#ifdef PLAINFORMER_EMULATED
  GTEST_SKIP() << "qemu knows no limit on memory";
#endif
#ifdef __APPLE__
  GTEST_SKIP() << "this system ignores a limit on memory";
#endif
  EXPECT_FALSE(run_role("take_400_megabytes", {}, {.memory_mb = 200}).succeeded());
}

TEST(Process, LimitsTheSizeOfAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path_of("file");
  EXPECT_TRUE(run_role("write_3_megabytes", {path}, {.file_mb = 3}).succeeded());
  EXPECT_FALSE(run_role("write_3_megabytes", {path}, {.file_mb = 2}).succeeded());
  EXPECT_EQ(fs::file_size(path), 2u << 20);
}

TEST(Process, RefusesFilesButNotPipes) {
  const TemporaryFolder folder;
  const std::string path = folder.path_of("file");
  EXPECT_EQ(run_role("write_3_megabytes", {path}, {.no_files = true}).exit_code, 1);
  EXPECT_EQ(fs::file_size(path), 0u);
  const ProcessResult result = run_role("speak", {}, {.no_files = true});
  EXPECT_EQ(result.output, "to stdout\nto stderr\n");
  EXPECT_EQ(result.report, "to three\n");
}

TEST(Process, AddsToTheEnvironmentAndReplaces) {
  const EnvironmentVariable one("PLAINFORMER_ONE"), two("PLAINFORMER_TWO");
  one.set("old");
  two.set("kept");
  const ProgramSetup setup = as_role("print_variables", {"PLAINFORMER_ONE", "PLAINFORMER_TWO"});
  EXPECT_EQ(run_process(command_of(setup), {}, {"PLAINFORMER_ONE=new"}).output, "new\nkept\n");
}

TEST(Process, PassesArgumentsUnchanged) {
  const std::vector<std::string> arguments = {
      "a b",      "",      "猫 ü",      "--x=\"1\"", "C:\\a b\\",
      "\\\\\"\\", "*.cpp", "--f=*.A-*", "a\tb",      "'$HOME' %PATH%"};
  std::string lines;
  for (const std::string& argument : arguments) lines += argument + "\n";
  EXPECT_EQ(run_role("print_arguments", arguments).output, lines);
}

TEST(Process, SaysWhichProgramDoesNotStart) {
  EXPECT_NE(error_of([] { run_process({"no-such-program"}); }).find("no-such-program: cannot be started: "),
            std::string::npos);
  const TemporaryFolder folder;
  const std::string text = folder.write("text", "no program");
  EXPECT_NE(error_of([&] { run_process({text}); }).find("text: cannot be started: "), std::string::npos);
}

TEST(Process, RunsInSeveralThreads) {
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&right, t] {
      for (int i = 0; i < 10; ++i) {
        const std::string word = std::to_string(100 * t + i);
        right[t] += run_role("print_arguments", {word}, {.seconds = 60}).output == word + "\n" ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 10));
}

}  // namespace
}  // namespace plainformer::course
