#include "io/folder_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "io/temporary_folder.h"

namespace plainformer {
namespace {

// Another process that holds the folder until it is killed.
class Holder {
 public:
  explicit Holder(const std::string& path) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    process_ = fork();
    if (process_ == 0) hold(path, ends[1]);
    close(ends[1]);
    char ready;
    const bool started = read(ends[0], &ready, 1) == 1;
    close(ends[0]);
    if (!started) throw std::runtime_error("the holder did not start");
  }
  ~Holder() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

 private:
  [[noreturn]] static void hold(const std::string& path, int to_parent) try {
    const FolderLock lock(path, "a test");
    if (write(to_parent, "x", 1) == 1) pause();
    _exit(0);
  } catch (...) {
    _exit(1);
  }

  pid_t process_;
};

std::string error_of_locking(const std::string& path) {
  return error_of([&] { const FolderLock lock(path, "another training"); });
}

TEST(FolderLock, RefusesAFolderThatAnotherProcessHolds) {
  const TemporaryFolder folder;
  const Holder holder(folder.path());
  EXPECT_EQ(error_of_locking(folder.path()),
            folder.path() +
                ": another training is writing into this folder (hint: wait until it is done, or "
                "choose another folder)");
}

TEST(FolderLock, EndsWithAProcessThatIsKilled) {
  const TemporaryFolder folder;
  std::optional<Holder> holder(folder.path());
  ASSERT_NE(error_of_locking(folder.path()), "");
  holder.reset();
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

TEST(FolderLock, NamesWhatIsNoFolder) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of_locking(folder.path_of("none")).rfind(folder.path_of("none") + ": cannot be opened", 0),
            0u);
  const std::string file = folder.write("file", "");
  EXPECT_EQ(error_of_locking(file).rfind(file + ": cannot be opened", 0), 0u);
}

}  // namespace
}  // namespace plainformer
