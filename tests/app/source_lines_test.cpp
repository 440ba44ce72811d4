#include "app/source_lines.h"

#include <gtest/gtest.h>

#include <optional>

#include "io/temporary_folder.h"
#include "platform/platform.h"
#include "system/system.h"

namespace plainformer {
namespace {

using Lines = std::vector<std::string>;

// A file open for reading.
class InputLinesOfAFile : public testing::Test {
 protected:
  InputLines open_file(const std::string& contents) {
    file_.reset();
    file_.emplace(open_to_read(folder_.write("in", contents)));
    return InputLines(file_->number(), "in");
  }

  const TemporaryFolder folder_;
  std::optional<FileDescriptor> file_;
};

TEST_F(InputLinesOfAFile, ComeInChunks) {
  InputLines input = open_file("a\n\nbc\n\xff\r\nlast");
  EXPECT_EQ(input.next(2), (Lines{"a", ""}));
  EXPECT_EQ(input.next(2), (Lines{"bc", "\xff\r"}));
  EXPECT_EQ(input.next(2), (Lines{"last"}));
  EXPECT_EQ(input.next(2), Lines{});
}

TEST_F(InputLinesOfAFile, MayBeLongerThanABlock) {
  const std::string line(300000, 'x');
  InputLines input = open_file(line + "\n" + line + "\nz");
  EXPECT_EQ(input.next(1), (Lines{line}));
  EXPECT_EQ(input.next(5), (Lines{line, "z"}));
}

TEST_F(InputLinesOfAFile, AreCutBetweenCharactersIfTheyAreHuge) {
  const std::string most(kMostSentenceBytes, 'x'), umlauts = most.substr(1) + "ü";
  InputLines input =
      open_file("a\n" + most + "\n" + most + "\r\n" + umlauts + most + most + "\nb\n" + most + "x");
  const Lines lines = input.next(9);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0], "a");
  EXPECT_TRUE(lines[1] == most) << lines[1].size();
  EXPECT_TRUE(lines[2] == most) << lines[2].size();
  EXPECT_TRUE(lines[3] == most.substr(1)) << lines[3].size();
  EXPECT_EQ(lines[4], "b");
  EXPECT_TRUE(lines[5] == most) << lines[5].size();
  std::vector<bool> cut;
  for (std::size_t i = 0; i < lines.size(); ++i) cut.push_back(input.was_cut(i));
  EXPECT_EQ(cut, (std::vector<bool>{false, false, true, true, false, true}));
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
  Pipe pipe;
  InputLines input(pipe.read_end(), "pipe");
  const auto put = [&](const std::string& text) { return write_bytes(pipe.write_end(), text); };
  EXPECT_EQ(input.count_ahead(), 0);
  ASSERT_EQ(put("one\ntwo\nthr"), 11);
  EXPECT_EQ(input.next(9), (Lines{"one", "two"}));
  ASSERT_EQ(put("ee\n"), 3);
  EXPECT_EQ(input.next(9), (Lines{"three"}));
  ASSERT_EQ(put("rest"), 4);
  pipe.close_write_end();
  EXPECT_EQ(input.next(9), (Lines{"rest"}));
  EXPECT_EQ(input.next(9), Lines{});
}

}  // namespace
}  // namespace plainformer
