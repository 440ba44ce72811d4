#include "io/atomic_file.h"

#include <gtest/gtest.h>

#include <iostream>

#include "support/program.h"
#include "system/process.h"
#include "system/system.h"

namespace plainformer {
namespace {

// Holds the folder until it is killed.
const Role hold_folder("hold_folder", [](const std::vector<std::string>& arguments) {
  const FolderLock lock(arguments.at(0), "a test");
  std::cout << "held" << std::flush;
  std::this_thread::sleep_for(std::chrono::minutes(1));
  return 0;
});

// Another process that holds the folder.
class Holder {
 public:
  explicit Holder(const std::string& path) : process_(with_output(as_role("hold_folder", {path}))) {
    EXPECT_TRUE(wait_until([&] { return here_.read("out") == "held"; }));
  }
  void end() {
    process_.send(kKill);
    EXPECT_EQ(process_.wait().exit_code, 128 + kKill);
  }

 private:
  ProcessSetup with_output(ProcessSetup setup) const {
    setup.out = here_.path_of("out");
    return setup;
  }

  const TemporaryFolder here_;
  ChildProcess process_;
};

std::string error_of_locking(const std::string& path) {
  return error_of([&] { const FolderLock lock(path, "another training run"); });
}

TEST(FolderLock, RefusesAFolderThatAnotherProcessHolds) {
  const TemporaryFolder folder;
  const Holder holder(folder.path());
  EXPECT_EQ(error_of_locking(folder.path()),
            folder.path() +
                ": another training run is writing into this folder (hint: wait until it is done, or "
                "choose another folder)");
}

TEST(FolderLock, EndsWithAProcessThatIsKilled) {
  const TemporaryFolder folder;
  Holder holder(folder.path());
  ASSERT_NE(error_of_locking(folder.path()), "");
  holder.end();
  EXPECT_EQ(error_of_locking(folder.path()), "");
}

TEST(FolderLock, EndsWithItsObject) {
  const TemporaryFolder folder;
  {
    const FolderLock lock(folder.path(), "a test");
    EXPECT_NE(error_of_locking(folder.path()), "");
  }
  EXPECT_EQ(error_of_locking(folder.path()), "");
}

TEST(FolderLock, IsOfOneFolderOnlyAndLeavesNothingInIt) {
  const TemporaryFolder one, other;
  const FolderLock lock(one.path(), "a test");
  EXPECT_EQ(error_of_locking(other.path()), "");
  EXPECT_EQ(one.files(), 0);
  one.write("file", "can be written");
  EXPECT_EQ(one.read("file"), "can be written");
}

TEST(FolderLock, SaysWhereNothingCanBeLocked) {
  const TemporaryFolder folder;
  std::string error, warning;
  const auto lock = [&] {
    testing::internal::CaptureStderr();
    error = error_of_locking(folder.path());
    warning = testing::internal::GetCapturedStderr();
  };
  if (!disk_calls_of(lock, FailingCall::kLock)) GTEST_SKIP() << "nobody can make a call fail here";
  EXPECT_EQ(error, "");
  EXPECT_EQ(warning, folder.path() +
                         ": cannot be locked: No locks available (hint: take care that another training run "
                         "does not write into it at the same time)\n");
  disk_calls_of(lock);
  EXPECT_EQ(warning, "");
}

TEST(FolderLock, NamesWhatIsNoFolder) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of_locking(folder.path_of("none")).rfind(folder.path_of("none") + ": cannot be opened", 0),
            0u);
  const std::string file = folder.write("file", "");
  EXPECT_EQ(error_of_locking(file).rfind(file + ": cannot be opened", 0), 0u);
}

}  // namespace
}  // namespace plainformer
