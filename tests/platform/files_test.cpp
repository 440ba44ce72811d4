#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "io/temporary_folder.h"
#include "platform/platform.h"
#include "system/system.h"

namespace plainformer {
namespace {

// Names as people give them.
constexpr const char* kName = "Bücher von 猫 \U0001F600.txt";
// Bytes that a file opened as text would change: line ends, and the end of a text (26).
const std::string kBytes("a\r\nb\n\x1a\0\xff", 8);

std::string read_all(int file) {
  char bytes[100];
  std::string text;
  for (std::ptrdiff_t got; (got = read_bytes(file, bytes, sizeof(bytes))) > 0;)
    text.append(bytes, static_cast<std::size_t>(got));
  return text;
}

TEST(Files, CarryAnyBytesUnderAnyName) {
  const TemporaryFolder folder;
  const std::string path = folder.path_of(kName), renamed = folder.path_of(std::string("neu ") + kName);
  {
    const FileDescriptor file(open_to_write_alone(path));
    ASSERT_GE(file.number(), 0);
    EXPECT_EQ(write_bytes(file.number(), kBytes), 8);
    EXPECT_TRUE(sync_file(file.number()));
  }
  EXPECT_EQ(folder.read(kName), kBytes);
  EXPECT_TRUE(replace_file(path, renamed));
  EXPECT_TRUE(sync_folder_of(renamed));
  EXPECT_FALSE(file_status(path));
  EXPECT_EQ(read_all(FileDescriptor(open_to_read(renamed)).number()), kBytes);
  EXPECT_EQ(file_status(renamed)->bytes, 8);
  EXPECT_TRUE(remove_file(renamed));
  EXPECT_EQ(folder.files(), 0);
}

TEST(Files, AreOfFourKinds) {
  const TemporaryFolder folder;
  const NamedPipe pipe(folder.path_of("pipe"));
  EXPECT_EQ(file_status(folder.write("a", "123"))->kind, FileKind::kRegular);
  EXPECT_EQ(file_status(folder.path())->kind, FileKind::kFolder);
  const FileKind of_a_pipe = pipes_stand_in_any_folder() ? FileKind::kPipe : FileKind::kOther;
  EXPECT_EQ(file_status(pipe.path())->kind, of_a_pipe);
  EXPECT_EQ(file_status(device_to_read())->kind, FileKind::kOther);
  EXPECT_FALSE(file_status(folder.path_of("none")));
  EXPECT_EQ(errno, ENOENT);
  const FileDescriptor file(open_to_read(folder.path_of("a")));
  EXPECT_EQ(file_status(file.number())->kind, FileKind::kRegular);
  EXPECT_EQ(file_status(file.number())->bytes, 3);
  EXPECT_EQ(file_status(Pipe().read_end())->kind, of_a_pipe);
  EXPECT_GE(FileDescriptor(open_to_read(pipe.path())).number(), 0) << "without waiting for a writer";
  EXPECT_EQ(open_to_read(folder.path_of("none")), -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST(Files, AreWrittenByOneOnly) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "old");
  {
    const FileDescriptor first(open_to_write_alone(path));
    EXPECT_EQ(folder.read("a"), "old") << "opening must keep the bytes, and a reader may read them";
    EXPECT_EQ(open_to_write_alone(path), -1);
    EXPECT_EQ(errno, EWOULDBLOCK);
    EXPECT_TRUE(truncate_file(first.number()));
    EXPECT_EQ(folder.read("a"), "");
  }
  EXPECT_GE(FileDescriptor(open_to_write_alone(path)).number(), 0);
  EXPECT_EQ(open_to_write_alone(folder.path()), -1);
}

// A reader who has the old file open reads it to its end.
TEST(Files, AreReplacedUnderTheirReaders) {
  if (!replaces_open_files()) GTEST_SKIP() << "Wine cannot replace an open file";
  const TemporaryFolder folder;
  const FileDescriptor reader(open_to_read(folder.write("a", "old")));
  ASSERT_TRUE(replace_file(folder.write("a.tmp", "new"), folder.path_of("a")));
  EXPECT_EQ(folder.read("a"), "new");
  EXPECT_EQ(read_all(reader.number()), "old");
  EXPECT_FALSE(replace_file(folder.path_of("none"), folder.path_of("a")));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(folder.files(), 1);
}

TEST(Files, OfAPipeMayBeWaitedFor) {
  Pipe pipe;
  EXPECT_FALSE(wait_until_readable(pipe.read_end(), 0));
  ASSERT_EQ(write_bytes(pipe.write_end(), "x"), 1);
  EXPECT_TRUE(wait_until_readable(pipe.read_end(), 0));
  char byte = 0;
  ASSERT_EQ(read_bytes(pipe.read_end(), &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  EXPECT_FALSE(wait_until_readable(pipe.read_end(), 0));
  pipe.close_write_end();
  EXPECT_TRUE(wait_until_readable(pipe.read_end(), -1)) << "the end counts";
  EXPECT_EQ(read_bytes(pipe.read_end(), &byte, 1), 0);
}

TEST(Folders, AreLockedByOneOnlyUnderAnyOfTheirNames) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path_of("in"));
  {
    const FileDescriptor lock(lock_folder(folder.path()));
    ASSERT_GE(lock.number(), 0);
    for (const std::string& name : {folder.path(), folder.path() + "/", folder.path_of("in/..")}) {
      EXPECT_EQ(lock_folder(name), -1) << name;
      EXPECT_EQ(errno, EWOULDBLOCK);
    }
    EXPECT_GE(FileDescriptor(lock_folder(folder.path_of("in"))).number(), 0);
    EXPECT_EQ(folder.files(), 1) << "the lock leaves nothing in the folder";
  }
  EXPECT_GE(FileDescriptor(lock_folder(folder.path())).number(), 0);
}

TEST(Folders, HaveNoBytesAndNothingElseIsLocked) {
  const TemporaryFolder folder;
  const FileDescriptor file(open_to_read(folder.path()));
  char byte = 0;
  EXPECT_EQ(read_bytes(file.number(), &byte, 1), -1);
  for (const std::string& path : {folder.write("file", ""), folder.path_of("none")}) {
    EXPECT_EQ(lock_folder(path), -1) << path;
    EXPECT_NE(errno, EWOULDBLOCK);
  }
}

}  // namespace
}  // namespace plainformer
