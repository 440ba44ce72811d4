// What the build of the whole program says, and that two commands do not build at once.
#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "io/temporary_folder.h"
#include "platform/platform.h"
#include "text.h"
#include "whole_program.h"

namespace plainformer::course {
namespace {

TEST(BuildLock, ASecondCommandWaitsForTheFirstAndSaysSo) {
  const TemporaryFolder folder;
  const fs::path build = path_of(folder.path_of("toy"));
  auto first = std::make_unique<FileDescriptor>(lock_when_free(build));
  if (first->number() < 0) GTEST_SKIP() << "this file system has no locks";
  testing::internal::CaptureStderr();
  std::future<int> second = std::async(std::launch::async, [&] { return lock_when_free(build); });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(500)), std::future_status::timeout);
  first.reset();
  const FileDescriptor locked(second.get());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_GE(locked.number(), 0);
  EXPECT_EQ(said, "Another course command is building in " + text_of(build) + "; waiting.\n");
}

TEST(ErrorOfALog, IsWhatStandsAboutTheFirstError) {
  std::string log = "[ 1%] Building CXX object src/core/input_error.cpp.o\n";
  for (int i = 0; i < 100; ++i) log += "[ 1%] Building " + std::to_string(i) + "\n";
  log += "/usr/bin/ar: unable to copy file\ngmake[3]: *** [libx.a] Error 1\n";
  for (int i = 0; i < 100; ++i) log += "gmake: *** waiting\n";
  const std::string error = error_of_log(log);
  EXPECT_TRUE(error.starts_with(
      "[ 1%] Building 99\n/usr/bin/ar: unable to copy file\ngmake[3]: *** [libx.a] Error 1\n"))
      << error;
  EXPECT_EQ(lines_of(error).size(), 15u);
}

TEST(ErrorOfALog, WithoutAnErrorIsItsEnd) {
  std::string log;
  for (int i = 0; i < 100; ++i) log += "line " + std::to_string(i) + "\n";
  const std::vector<std::string> lines = lines_of(error_of_log(log));
  ASSERT_EQ(lines.size(), 15u);
  EXPECT_EQ(lines.back(), "line 99");
  EXPECT_EQ(error_of_log(""), "");
}

TEST(Wrapped, DividesNoCharacter) {
  EXPECT_EQ(wrapped("ab cd", 3), "ab\ncd");
  EXPECT_EQ(wrapped("aäää", 4), "aä\nää");
}

}  // namespace
}  // namespace plainformer::course
