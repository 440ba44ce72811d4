#include "io/atomic_file.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "system/system.h"

namespace plainformer {
namespace {

std::string error_of_locking(const std::string& path) {
  return error_of([&] { const FolderLock lock(path, "another training run"); });
}

// tests/promises/one_training_a_folder_test.cpp holds what another process locks.
TEST(FolderLock, EndsWithItsObject) {
  const TemporaryFolder folder;
  {
    const FolderLock lock(folder.path(), "a test");
    EXPECT_EQ(error_of_locking(folder.path()),
              folder.path() +
                  ": another training run is writing into this folder (hint: wait until it is done, or "
                  "choose another folder)");
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
