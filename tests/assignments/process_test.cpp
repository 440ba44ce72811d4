#include "process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "io/temporary_folder.h"

namespace plainformer::course {
namespace {

ProcessResult run_shell(const std::string& script, const std::string& input = "", const Limits& limits = {}) {
  return run_process({"sh", "-c", script}, input, limits);
}

void wait(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

TEST(Process, KeepsOutputReportAndExitCodeApart) {
  const ProcessResult result = run_shell("echo to stdout; echo to stderr >&2; echo to three >&3; exit 3");
  EXPECT_EQ(result.output, "to stdout\nto stderr\n");
  EXPECT_EQ(result.report, "to three\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.ending(), "exit code 3");
}

TEST(Process, PassesMegabytesThroughBothPipes) {
  std::string input;
  while (input.size() < 3'000'000) input += std::to_string(input.size()) + "\n";
  const ProcessResult result = run_process({"cat"}, input, {.seconds = 60, .output_bytes = 4'000'000});
  EXPECT_TRUE(result.succeeded());
  EXPECT_TRUE(result.output == input);
}

TEST(Process, OutlivesAProgramThatDoesNotReadItsInput) {
  EXPECT_TRUE(run_shell("exec 0<&-; sleep 0.05", std::string(3'000'000, 'x'), {.seconds = 60}).succeeded());
}

TEST(Process, ReadsAndDropsWhatIsTooMuch) {
  const ProcessResult result =
      run_shell("head -c 3000000 /dev/zero | tr '\\0' x; exit 7", "", {.seconds = 60, .output_bytes = 1000});
  EXPECT_EQ(result.output, std::string(1000, 'x'));
  EXPECT_EQ(result.exit_code, 7);
}

TEST(Process, StopsALoop) {
  const ProcessResult result = run_shell("echo begun; while :; do :; done", "", {.seconds = 0.2});
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.output, "begun\n");
  EXPECT_EQ(result.ending().substr(0, 13), "stopped after");
  EXPECT_LT(result.seconds, 10);
}

TEST(Process, StopsAProgramThatPrintsForever) {
  EXPECT_TRUE(run_process({"yes"}, "", {.seconds = 0.2}).timed_out);
}

TEST(Process, DoesNotWaitForAGrandchildAndEndsIt) {
  const TemporaryFolder folder;
  const std::string left_behind = folder.path_of("left_behind");
  const ProcessResult result = run_shell("(sleep 0.5; touch " + left_behind + ") & echo done");
  EXPECT_EQ(result.output, "done\n");
  EXPECT_TRUE(result.succeeded());
  EXPECT_LT(result.seconds, 0.5);
  wait(800);
  EXPECT_FALSE(std::filesystem::exists(left_behind));
}

TEST(Process, EndsGrandchildrenWhenTimeIsOver) {
  const TemporaryFolder folder;
  const std::string left_behind = folder.path_of("left_behind");
  EXPECT_TRUE(run_shell("(sleep 0.5; touch " + left_behind + ") & wait", "", {.seconds = 0.1}).timed_out);
  wait(800);
  EXPECT_FALSE(std::filesystem::exists(left_behind));
}

TEST(Process, WaitsForAProgramThatClosedItsOutput) {
  EXPECT_EQ(run_shell("exec 1>&- 2>&- 3>&-; sleep 0.1; exit 5").exit_code, 5);
}

TEST(Process, NamesTheSignal) {
  const ProcessResult result = run_shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, 11);
  EXPECT_EQ(result.ending(), "signal 11 (Segmentation fault)");
}

TEST(Process, LimitsTheTimeOnTheProcessor) {
  const ProcessResult result = run_shell("while :; do :; done", "", {.seconds = 60, .cpu_seconds = 1});
  EXPECT_TRUE(result.timed_out);
  EXPECT_NE(result.ending().find("stopped after"), std::string::npos);
  EXPECT_FALSE(run_shell("sleep 1.1", "", {.seconds = 60, .cpu_seconds = 1}).timed_out);
}

// Two loops at once use up a second on the processor before the clock shows one.
TEST(Process, LimitsTheTimeOfAllThreadsTogether) {
  const TemporaryFolder folder;
  const std::string source = folder.write("loops.cpp", R"(
    #include <thread>
    int main() {
      const auto loop = [] { for (volatile long i = 0;; i = i + 1) {} };
      std::thread other(loop);
      loop();
    })");
  const std::string program = folder.path_of("loops");
  ASSERT_TRUE(run_process({PLAINFORMER_CXX, "-std=c++20", "-pthread", source, "-o", program}).succeeded());
  EXPECT_TRUE(run_process({program}, "", {.seconds = 60, .cpu_seconds = 1}).timed_out);
}

// A process of the test's own stands for `course`, which Ctrl-C ends while a compiler works for it.
TEST(Process, EndsGrandchildrenWhenWeAreInterrupted) {
  const TemporaryFolder folder;
  const std::string begun = folder.path_of("begun"), left_behind = folder.path_of("left_behind");
  const pid_t course = fork();
  if (course == 0) {
    end_processes_with_us();
    run_shell("(touch " + begun + "; sleep 0.5; touch " + left_behind + ") & wait");
    _exit(0);
  }
  for (int i = 0; i < 500 && !std::filesystem::exists(begun); ++i) wait(10);
  ASSERT_TRUE(std::filesystem::exists(begun));
  kill(course, SIGINT);
  int status = 0;
  waitpid(course, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  wait(800);
  EXPECT_FALSE(std::filesystem::exists(left_behind));
}

TEST(Process, LimitsMemory) {
  const std::string needs_400_megabytes = "dd if=/dev/zero of=/dev/null bs=400M count=1";
  EXPECT_TRUE(run_shell(needs_400_megabytes).succeeded());
  EXPECT_FALSE(run_shell(needs_400_megabytes, "", {.memory_mb = 100}).succeeded());
}

TEST(Process, LimitsTheSizeOfAFile) {
  const TemporaryFolder folder;
  const std::string copy = "exec head -c 3000000 /dev/zero > " + folder.path_of("file");
  EXPECT_TRUE(run_shell(copy, "", {.file_mb = 3}).succeeded());
  EXPECT_EQ(run_shell(copy, "", {.file_mb = 2}).signal, SIGXFSZ);
}

TEST(Process, RefusesFilesButNotPipes) {
  const TemporaryFolder folder;
  const std::string script =
      "echo to stdout; (echo secret > " + folder.path_of("file") + ") 2>&-; echo to three >&3";
  EXPECT_EQ(run_shell(script, "", {.no_files = false}).report, "to three\n");
  EXPECT_EQ(folder.read("file"), "secret\n");
  const ProcessResult result = run_shell(script, "", {.no_files = true});
  EXPECT_EQ(result.output, "to stdout\n");
  EXPECT_EQ(result.report, "to three\n");
  EXPECT_EQ(folder.read("file"), "");
}

TEST(Process, AddsToTheEnvironmentAndReplaces) {
  setenv("PLAINFORMER_ONE", "old", 1);
  setenv("PLAINFORMER_TWO", "kept", 1);
  const ProcessResult result =
      run_process({"sh", "-c", "echo $PLAINFORMER_ONE $PLAINFORMER_TWO"}, "", {}, {"PLAINFORMER_ONE=new"});
  EXPECT_EQ(result.output, "new kept\n");
}

TEST(Process, SaysWhichProgramDoesNotStart) {
  EXPECT_NE(error_of([] { run_process({"no-such-program"}); }).find("no-such-program: cannot be started"),
            std::string::npos);
  EXPECT_NE(error_of([] { run_process({"/etc/passwd"}); }).find("Permission denied"), std::string::npos);
}

// A child that inherited another one's pipe would keep its `cat` waiting for the end of the input.
TEST(Process, RunsInSeveralThreads) {
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&right, t] {
      for (int i = 0; i < 10; ++i) {
        const std::string input = std::to_string(100 * t + i);
        right[t] += run_process({"cat"}, input, {.seconds = 60}).output == input ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 10));
}

}  // namespace
}  // namespace plainformer::course
