#include "io/atomic_file.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "io/temporary_folder.h"
#include "system/process.h"
#include "system/system.h"

namespace plainformer {
namespace {

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path_of("a"), "first, and longer");
  EXPECT_EQ(folder.read("a"), "first, and longer");
  AtomicFile file(folder.path_of("a"));
  file.write("sec");
  file.write("ond");
  EXPECT_EQ(folder.read("a"), "first, and longer") << "before the commit the old file must stand";
  file.commit();
  EXPECT_EQ(folder.read("a"), "second");
  EXPECT_EQ(folder.files(), 1);
}

// After a crash, the name means all of the old file or all of the new one.
TEST(AtomicFile, ReachesTheDiskBeforeItsNameDoes) {
  const TemporaryFolder folder;
  const auto calls = disk_calls_of([&] { write_file_atomically(folder.path_of("a"), "new"); });
  if (!calls) GTEST_SKIP() << "no call can be watched here";
  EXPECT_EQ(*calls, (std::vector<std::string>{"sync file", "rename", "sync folder"}));
}

TEST(AtomicFile, KeepsTheOldFileWhenTheDiskIsFullOrFails) {
  const std::pair<FailingCall, const char*> cases[] = {
      {FailingCall::kWrite,
       ": cannot be written: No space left on device (hint: free some space, or write to another disk)"},
      {FailingCall::kSyncOfFile,
       ": cannot be synced to the disk: Input/output error (hint: check the path and the disk)"}};
  for (const auto& [call, problem] : cases) {
    const TemporaryFolder folder;
    folder.write("a", "old");
    std::string error;
    const auto write = [&] { error = error_of([&] { write_file_atomically(folder.path_of("a"), "new"); }); };
    if (!disk_calls_of(write, call)) GTEST_SKIP() << "no call can be made to fail here";
    EXPECT_EQ(error, folder.path_of("a") + problem);
    EXPECT_EQ(folder.read("a"), "old");
    EXPECT_EQ(folder.files(), 1);
  }
}

// The file itself is safe. Some network file systems never sync a folder.
TEST(AtomicFile, SaysOnceThatAFolderCannotBeSynced) {
  const TemporaryFolder folder;
  std::string error, warning;
  const auto write = [&] {
    testing::internal::CaptureStderr();
    error = error_of([&] {
      for (const char* name : {"a", "b", "b"}) write_file_atomically(folder.path_of(name), "new");
    });
    warning = testing::internal::GetCapturedStderr();
  };
  if (!disk_calls_of(write, FailingCall::kSyncOfFolder)) GTEST_SKIP() << "no call can be made to fail here";
  EXPECT_EQ(error, "");
  EXPECT_EQ(warning, folder.path_of("a") + ": was written, but its folder cannot be synced to the disk: " +
                         "Input/output error (hint: a power failure may bring the old file back)\n");
  EXPECT_EQ(folder.read("b"), "new");
}

const Role write_and_die("write_and_die", [](const std::vector<std::string>& arguments) -> int {
  AtomicFile file(arguments.at(0));
  file.write("a long piece of the new file");
  std::_Exit(3);
});

TEST(AtomicFile, SurvivesAKillAndWritesAgain) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  ChildProcess process(as_role("write_and_die", {folder.path_of("a")}));
  ASSERT_EQ(process.wait().exit_code, 3);
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.files(), 2) << "the killed process should have left its temporary file";
  write_file_atomically(folder.path_of("a"), "new");
  EXPECT_EQ(folder.read("a"), "new");
  EXPECT_EQ(folder.files(), 1);
}

TEST(AtomicFile, LeavesAFileOfTheUserAlone) {
  const TemporaryFolder folder;
  folder.write("a.tmp", "the user's");
  write_file_atomically(folder.path_of("a"), "new");
  { AtomicFile(folder.path_of("a")).write("not committed"); }
  EXPECT_EQ(folder.read("a"), "new");
  EXPECT_EQ(folder.read("a.tmp"), "the user's");
  EXPECT_EQ(folder.files(), 2);
}

TEST(AtomicFile, RefusesASecondWriter) {
  const TemporaryFolder folder;
  AtomicFile first(folder.path_of("a"));
  first.write("first");
  const std::string error = error_of([&] { write_file_atomically(folder.path_of("a"), "second"); });
  EXPECT_TRUE(contains(error, "a.plainformer.tmp: is being written by somebody else")) << error;
  first.commit();
  EXPECT_EQ(folder.read("a"), "first");
}

TEST(AtomicFile, RefusesMisuse) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path_of("a"));
  file.commit();
  EXPECT_THROW(file.write("x"), std::logic_error);
  EXPECT_THROW(file.commit(), std::logic_error);
}

TEST(AtomicFile, RefusesTargetsThatAreNoFiles) {
  const TemporaryFolder folder;
  const NamedPipe pipe(folder.path_of("pipe"));
  const auto error_for = [](const std::string& path) {
    return error_of([&] { write_file_atomically(path, "x"); });
  };
  EXPECT_TRUE(contains(error_for(folder.path()), "is a folder"));
  EXPECT_TRUE(contains(error_for(pipe.path()), "is a pipe or a device"));
  EXPECT_TRUE(
      contains(error_for(folder.path_of("none/a")), "No such file or directory (hint: check the path"));
  if (!pipes_stand_in_any_folder()) return;
  const NamedPipe temporary(folder.path_of("b.plainformer.tmp"));
  EXPECT_TRUE(contains(error_for(folder.path_of("b")), "cannot be written"));
  EXPECT_EQ(folder.files(), 2);
}

TEST(ReadFile, ReadsTheWholeFile) {
  const TemporaryFolder folder;
  const std::string bytes("a\0\r\n\xff", 5);
  EXPECT_EQ(read_file(folder.write("a", bytes), 5), bytes);
  EXPECT_EQ(read_file(folder.write("empty", ""), 0), "");
}

TEST(ReadFile, RefusesWhatIsNoFileOrTooLarge) {
  const TemporaryFolder folder;
  const NamedPipe pipe(folder.path_of("pipe"));
  const auto error_for = [](const std::string& path) { return error_of([&] { read_file(path, 4); }); };
  EXPECT_EQ(error_for(folder.path_of("none")),
            folder.path_of("none") +
                ": cannot be read: No such file or directory (hint: check the path: each of its "
                "folders must exist)");
  EXPECT_TRUE(contains(error_for(folder.path()), "is a folder"));
  EXPECT_TRUE(contains(error_for(pipe.path()), "is a pipe or a device"));
  EXPECT_TRUE(contains(error_for(device_to_read()), "is a pipe or a device"));
  EXPECT_TRUE(contains(error_for(folder.write("a", "12345")), "has 5 bytes, more than the 4 allowed"));
  stretch_file(folder.path_of("a"), std::uintmax_t{1} << 40);  // 32 bits see 0
  EXPECT_TRUE(contains(error_for(folder.path_of("a")), "has 1099511627776 bytes, more than "));
}

TEST(InputFile, NoticesAFileThatShrinks) {
  const TemporaryFolder folder;
  InputFile file(folder.write("a", "12345"));
  EXPECT_EQ(file.size(), 5);
  folder.write("a", "123");
  char bytes[5];
  EXPECT_TRUE(contains(error_of([&] { file.read(bytes, 5); }), "became shorter"));
}

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
  if (!disk_calls_of(lock, FailingCall::kLock)) GTEST_SKIP() << "no call can be made to fail here";
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
