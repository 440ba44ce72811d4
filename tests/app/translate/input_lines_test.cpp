#include "app/translate/input_lines.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/temporary_folder.h"
#include "thrown_message.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

// A file open for reading.
class InputLinesOfAFile : public testing::Test {
 protected:
  InputLines open_file(const std::string& contents) {
    file_ = open(folder_.write("in", contents).c_str(), O_RDONLY);
    return InputLines(file_, "in");
  }
  ~InputLinesOfAFile() override { close(file_); }

  const TemporaryFolder folder_;
  int file_ = -1;
};

TEST_F(InputLinesOfAFile, ComeInChunks) {
  InputLines input = open_file("a\n\nbc\n\xff\r\nlast");
  EXPECT_EQ(input.next(2), (Lines{"a", ""}));
  EXPECT_EQ(input.next(2), (Lines{"bc", "\xff\r"}));
  EXPECT_EQ(input.next(2), (Lines{"last"}));
  EXPECT_EQ(input.next(2), Lines{});
}

TEST_F(InputLinesOfAFile, AFinalLineBreakStartsNoLine) {
  InputLines input = open_file("a\nb\n");
  EXPECT_EQ(input.next(9), (Lines{"a", "b"}));
  EXPECT_EQ(input.next(9), Lines{});
}

TEST_F(InputLinesOfAFile, MayBeLongerThanABlock) {
  const std::string line(300000, 'x');
  InputLines input = open_file(line + "\n" + line + "\nz");
  EXPECT_EQ(input.next(1), (Lines{line}));
  EXPECT_EQ(input.next(5), (Lines{line, "z"}));
}

TEST_F(InputLinesOfAFile, AreCounted) {
  EXPECT_EQ(open_file("").count_ahead(), 0);
  EXPECT_EQ(open_file("a").count_ahead(), 1);
  InputLines input = open_file("a\nb\n\nc");
  EXPECT_EQ(input.count_ahead(), 4);
  EXPECT_EQ(input.next(1), (Lines{"a"}));  // the count has moved nothing
  EXPECT_EQ(input.count_ahead(), 3);
}

TEST(InputLines, OfAPipeAreThoseThatAreThere) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  InputLines input(ends[0], "pipe");
  const auto put = [&](const std::string& text) { return write(ends[1], text.data(), text.size()); };
  EXPECT_EQ(input.count_ahead(), 0);
  ASSERT_EQ(put("one\ntwo\nthr"), 11);
  EXPECT_EQ(input.next(9), (Lines{"one", "two"}));
  ASSERT_EQ(put("ee\n"), 3);
  EXPECT_EQ(input.next(9), (Lines{"three"}));
  ASSERT_EQ(put("rest"), 4);
  close(ends[1]);
  EXPECT_EQ(input.next(9), (Lines{"rest"}));
  EXPECT_EQ(input.next(9), Lines{});
  close(ends[0]);
}

TEST(InputLines, OfAFolderAreAnError) {
  const TemporaryFolder folder;
  const int file = open(folder.path().c_str(), O_RDONLY);
  InputLines input(file, "here");
  EXPECT_EQ(thrown_message<std::runtime_error>([&] { input.next(1); }),
            "here: cannot be read to its end (hint: is it a folder?)");
  close(file);
}

}  // namespace
}  // namespace plainformer
