#include "report/terminal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "support/thrown_message.h"
#include "system/system.h"

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
  EXPECT_FALSE(color_allowed(Pipe().write_end()));
}

TEST(Terminal, HasColorUnlessToldNotTo) {
  const EnvironmentVariable no_color("NO_COLOR"), term("TERM");
  const PseudoTerminal terminal(80);
  if (terminal.file() < 0) GTEST_SKIP() << "no terminals here";
  no_color.unset();
  term.unset();
  EXPECT_TRUE(color_allowed(terminal.file()));
  no_color.set("");  // set but empty does not count
  EXPECT_TRUE(color_allowed(terminal.file()));
  no_color.set("1");
  EXPECT_FALSE(color_allowed(terminal.file()));
  no_color.unset();
  term.set("dumb");
  EXPECT_FALSE(color_allowed(terminal.file()));
}

// ---- attention weights

using Tokens = std::vector<std::string>;

constexpr const char* kLegend = "rows: target, columns: source   · < .05  ░ < .2  ▒ < .4  ▓ < .7  █\n";

Tokens numbered(const std::string& name, Index count) {
  Tokens tokens;
  for (Index i = 0; i < count; ++i) tokens.push_back(name + std::to_string(i));
  return tokens;
}

int widest_line(const std::string& text) {
  std::istringstream lines(text);
  int width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, display_width(line));
  return width;
}

TEST(AttentionMap, HasAStaircaseOfLabelsAboveItsColumns) {
  const Tensor weights = Tensor::from({2, 3}, {0.75, 0.125, 0.125, 0, 0.375, 0.625});
  EXPECT_EQ(draw_attention_map(weights, {"die", "Katze"}, {"because", "猫", "x"}),
            "       because\n"
            "       │  猫\n"
            "       │  │  x\n"
            "  die  ██ ░░ ░░\n"
            "Katze  ·  ▒▒ ▓▓\n" +
                std::string(kLegend));
}

TEST(AttentionMap, AnEmptySourceHasNoColumns) {
  const std::string text = draw_attention_map(Tensor::zeros({2, 0}), {"a", "b"}, {});
  EXPECT_TRUE(contains(text, "a\nb\n")) << text;
}

TEST(AttentionMap, FourteenLongTokensFitInto80Columns) {
  const Tokens target = numbered("Zielwort-", 14), source = numbered("source-word-", 14);
  const std::string text = draw_attention_map(Tensor::zeros({14, 14}), target, source);
  EXPECT_LE(widest_line(text), 80);
  for (const std::string& token : source) EXPECT_TRUE(contains(text, token + "\n")) << token;
  for (const std::string& token : target) EXPECT_TRUE(contains(text, token + "  ·")) << token;
}

TEST(AttentionMap, WhatDoesNotFitIsClippedWithANote) {
  const std::string text =
      draw_attention_map(Tensor::zeros({7, 50}), numbered("t", 7), numbered("s", 50), {.width = 40});
  const auto legend = text.find(kLegend);
  ASSERT_NE(legend, std::string::npos);
  EXPECT_LE(widest_line(text.substr(0, legend)), 40);
  EXPECT_EQ(text.substr(legend), kLegend + std::string("(the first 18 of 50 columns)\n"));
}

TEST(AttentionMap, TokensCannotSteerTheTerminal) {
  const std::string text = draw_attention_map(Tensor::zeros({1, 1}), {"\x1b[2J"}, {"a\nb"});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST(AttentionMap, ShowsWhatIsNoWeight) {
  const Tensor weights = Tensor::from({1, 3}, {NAN, -1, 2});
  EXPECT_TRUE(contains(draw_attention_map(weights, {"x"}, {"a", "b", "c"}), "x  ?  ·  ██\n"));
}

TEST(AttentionMap, LabelsMustMatchTheMatrix) {
  EXPECT_THROW(draw_attention_map(Tensor::zeros({3, 3}), {"a", "b"}, {"c", "d", "e"}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
