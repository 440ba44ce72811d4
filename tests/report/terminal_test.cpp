#include "report/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace plainformer {
namespace {

TEST(Terminal, WidthOfText) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("cat"), 3);
  EXPECT_EQ(display_width("schläft"), 7);
  EXPECT_EQ(display_width("猫"), 2);
  EXPECT_EQ(display_width("桌子 上"), 7);
  EXPECT_EQ(display_width("ねこ한글"), 8);
  EXPECT_EQ(display_width("Ａ！"), 4);  // full-width forms
  EXPECT_EQ(display_width("😀"), 2);
  EXPECT_EQ(display_width("e\u0301"), 1);       // a combining accent
  EXPECT_EQ(display_width("a\u200bb"), 2);      // a zero-width space
  EXPECT_EQ(display_width("░▒▓█·│…"), 7);       // what our own pictures are made of
  EXPECT_EQ(display_width("\xff\xe7\x8c"), 3);  // malformed bytes, shown as one replacement character each
}

TEST(Terminal, TruncatesByColumnsNotBytes) {
  EXPECT_EQ(truncate_to_width("cat", 3), "cat");
  EXPECT_EQ(truncate_to_width("sleeps", 4), "sle…");
  EXPECT_EQ(truncate_to_width("桌子上", 6), "桌子上");
  EXPECT_EQ(truncate_to_width("桌子上", 5), "桌子…");
  EXPECT_EQ(truncate_to_width("桌子上", 4), "桌…");  // half a character does not fit
  EXPECT_EQ(truncate_to_width("e\u0301e\u0301e", 2), "e\u0301…");
  EXPECT_EQ(truncate_to_width("cat", 1), "…");
  EXPECT_EQ(truncate_to_width("cat", 0), "");
}

TEST(Terminal, PadsToAWidth) {
  EXPECT_EQ(pad_right("猫", 4), "猫  ");
  EXPECT_EQ(pad_left("猫", 4), "  猫");
  EXPECT_EQ(pad_right("桌子上", 4), "桌… ");
  EXPECT_EQ(pad_left("桌子上", 4), " 桌…");
}

TEST(Terminal, PrintableTextSteersNothing) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\x7f"), "a\uFFFD[2Jb\uFFFD\uFFFD");
  EXPECT_EQ(printable("\u009b"
                      "2J"),
            "\uFFFD2J");  // the one-character form of ESC [
  EXPECT_EQ(printable("\xff猫"), "\uFFFD猫");
}

TEST(Terminal, ColorsOnlyWhereAllowed) {
  EXPECT_EQ(colored("x", Color::kGreen, true), "\x1b[32mx\x1b[0m");
  EXPECT_EQ(colored("x", Color::kGreen, false), "x");
}

TEST(Terminal, APipeIsNone) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(is_terminal(ends[1]));
  EXPECT_EQ(terminal_width(ends[1]), 80);
  EXPECT_FALSE(color_allowed(ends[1]));
  close(ends[0]);
  close(ends[1]);
}

// A pseudo-terminal, 123 columns wide, and an environment that is put back.
class PseudoTerminal : public testing::Test {
 protected:
  void SetUp() override {
    master_ = posix_openpt(O_RDWR | O_NOCTTY);
    if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0)
      GTEST_SKIP() << "no pseudo-terminals here";
    terminal_ = open(ptsname(master_), O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal_, 0);
    winsize size = {};
    size.ws_col = 123;
    ASSERT_EQ(ioctl(terminal_, TIOCSWINSZ, &size), 0);
    for (const char* name : {"NO_COLOR", "TERM", "COLORTERM"}) {
      const char* value = std::getenv(name);
      saved_.emplace_back(name, value == nullptr ? "" : value);
      unsetenv(name);
    }
  }
  void TearDown() override {
    for (const auto& [name, value] : saved_) {
      if (value.empty()) {
        unsetenv(name.c_str());
      } else {
        setenv(name.c_str(), value.c_str(), 1);
      }
    }
    close(terminal_);
    close(master_);
  }

  int master_ = -1;
  int terminal_ = -1;
  std::vector<std::pair<std::string, std::string>> saved_;
};

TEST_F(PseudoTerminal, TellsItsWidth) {
  EXPECT_TRUE(is_terminal(terminal_));
  EXPECT_EQ(terminal_width(terminal_), 123);
}

TEST_F(PseudoTerminal, ShowsColorUnlessToldNotTo) {
  EXPECT_TRUE(color_allowed(terminal_));
  setenv("NO_COLOR", "", 1);  // set but empty does not count
  EXPECT_TRUE(color_allowed(terminal_));
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(color_allowed(terminal_));
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(color_allowed(terminal_));
}

TEST_F(PseudoTerminal, TrueColorIsAnnounced) {
  EXPECT_FALSE(true_color_announced());
  setenv("COLORTERM", "truecolor", 1);
  EXPECT_TRUE(true_color_announced());
}

}  // namespace
}  // namespace plainformer
