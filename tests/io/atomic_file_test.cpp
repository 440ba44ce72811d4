#include "io/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace {

std::vector<std::string> calls;  // of the two functions below
bool fsync_fails = false;

}  // namespace

// In place of the C library's: the same, with a note.
extern "C" int fsync(int file) {
  struct stat status = {};
  fstat(file, &status);
  calls.push_back(S_ISDIR(status.st_mode) ? "fsync folder" : "fsync file");
  if (fsync_fails) errno = EIO;
  return fsync_fails ? -1 : static_cast<int>(syscall(SYS_fsync, file));
}

extern "C" int rename(const char* from, const char* to) noexcept {
  calls.push_back("rename");
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

namespace plainformer {
namespace {

// What `action` returns, run in a process of its own, whose limits and mounts die with it.
std::string in_child_process(const std::function<std::string()>& action) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::string result = "an exception";
    try {
      result = action();
    } catch (...) {  // the other tests must not run on in here
    }
    const bool sent = write(ends[1], result.data(), result.size()) == static_cast<ssize_t>(result.size());
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  std::string result;
  char bytes[512];
  for (ssize_t got; (got = read(ends[0], bytes, sizeof(bytes))) > 0;)
    result.append(bytes, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return result;
}

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

// After a crash, the name stands for the whole of the old file or of the new one.
TEST(AtomicFile, ReachesTheDiskBeforeItsNameDoes) {
  const TemporaryFolder folder;
  calls.clear();
  write_file_atomically(folder.path_of("a"), "new");
  EXPECT_EQ(calls, (std::vector<std::string>{"fsync file", "rename", "fsync folder"}));
}

TEST(AtomicFile, KeepsTheOldFileWhenTheDiskFails) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  fsync_fails = true;
  const std::string error = error_of([&] { write_file_atomically(folder.path_of("a"), "new"); });
  fsync_fails = false;
  EXPECT_EQ(error,
            folder.path_of("a") +
                ": cannot be synced to the disk: Input/output error (hint: check the path and the disk)");
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST(AtomicFile, WithoutCommitNothingHappens) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  { AtomicFile(folder.path_of("a")).write("new"); }
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.files(), 1) << "the temporary file must be gone";
}

TEST(AtomicFile, WritesIntoTheCurrentFolder) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const std::string error = error_of([] { write_file_atomically("a", "x"); });
  std::filesystem::current_path(before);
  EXPECT_EQ(error, "");
  EXPECT_EQ(folder.read("a"), "x");
}

TEST(AtomicFile, SurvivesAKillAndWritesAgain) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  in_child_process([&]() -> std::string {
    AtomicFile file(folder.path_of("a"));
    file.write("a long piece of the new file");
    kill(getpid(), SIGKILL);
    return "";
  });
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.files(), 2) << "the killed process should have left its temporary file";
  write_file_atomically(folder.path_of("a"), "new");
  EXPECT_EQ(folder.read("a"), "new");
  EXPECT_EQ(folder.files(), 1);
}

TEST(AtomicFile, RefusesASecondWriter) {
  const TemporaryFolder folder;
  AtomicFile first(folder.path_of("a"));
  first.write("first");
  const std::string error = error_of([&] { write_file_atomically(folder.path_of("a"), "second"); });
  EXPECT_NE(error.find("a.tmp: is being written by somebody else"), std::string::npos) << error;
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

// A limit on the size of files stands in for a full disk: it fails in the same place, for any user.
TEST(AtomicFile, KeepsTheOldFileWhenTheNewOneDoesNotFit) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  const std::string error = in_child_process([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000, 1000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return std::string("setrlimit failed");
    return error_of([&] { write_file_atomically(folder.path_of("a"), std::string(5000, 'x')); });
  });
  EXPECT_EQ(error, folder.path_of("a") +
                       ": cannot be written: File too large (hint: raise the limit on the size of "
                       "files (ulimit -f), or write to another disk)");
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST(AtomicFile, KeepsTheOldFileOnAFullDisk) {
  const TemporaryFolder folder;
  const std::string result = in_child_process([&]() -> std::string {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
      return "cannot mount";
    }
    folder.write("a", "old");
    const std::string error =
        error_of([&] { write_file_atomically(folder.path_of("a"), std::string(100'000, 'x')); });
    return error + "\nold file: " + folder.read("a") + ", files: " + std::to_string(folder.files());
  });
  if (result == "cannot mount") GTEST_SKIP() << "only root can mount the small disk that this test fills";
  EXPECT_EQ(result, folder.path_of("a") +
                        ": cannot be written: No space left on device (hint: free some space, or "
                        "write to another disk)\nold file: old, files: 1");
}

TEST(AtomicFile, RefusesTargetsThatAreNoFiles) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path_of("pipe").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(folder.path_of("b.tmp").c_str(), 0600), 0);
  const auto error_for = [](const std::string& path) {
    return error_of([&] { write_file_atomically(path, "x"); });
  };
  EXPECT_NE(error_for(folder.path()).find("is a folder"), std::string::npos);
  EXPECT_NE(error_for(folder.path_of("pipe")).find("is a pipe or a device"), std::string::npos);
  EXPECT_NE(error_for(folder.path_of("none/a")).find("No such file or directory (hint: check the path"),
            std::string::npos);
  EXPECT_NE(error_for(folder.path_of("b")).find("cannot be written"), std::string::npos);
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
  ASSERT_EQ(mkfifo(folder.path_of("pipe").c_str(), 0600), 0);
  const auto error_for = [](const std::string& path) { return error_of([&] { read_file(path, 4); }); };
  EXPECT_EQ(error_for(folder.path_of("none")),
            folder.path_of("none") +
                ": cannot be read: No such file or directory (hint: check the path: each of its "
                "folders must exist)");
  EXPECT_NE(error_for(folder.path()).find("is a folder"), std::string::npos);
  EXPECT_NE(error_for(folder.path_of("pipe")).find("is a pipe or a device"), std::string::npos);
  EXPECT_NE(error_for("/dev/zero").find("is a pipe or a device"), std::string::npos);
  EXPECT_NE(error_for(folder.write("a", "12345")).find("has 5 bytes, more than the 4 allowed"),
            std::string::npos);
}

TEST(InputFile, NoticesAFileThatShrinks) {
  const TemporaryFolder folder;
  InputFile file(folder.write("a", "12345"));
  EXPECT_EQ(file.size(), 5);
  folder.write("a", "123");
  char bytes[5];
  EXPECT_NE(error_of([&] { file.read(bytes, 5); }).find("became shorter"), std::string::npos);
}

}  // namespace
}  // namespace plainformer
