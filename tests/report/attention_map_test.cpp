#include "report/attention_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "report/terminal.h"

namespace plainformer {
namespace {

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

TEST(AttentionMap, ShortLabelsStandAboveTheirColumns) {
  const Tensor weights = Tensor::from({2, 3}, {0.75, 0.125, 0.125, 0, 0.375, 0.625});
  EXPECT_EQ(draw_attention_map(weights, {"die", "Katze"}, {"the", "cat", "."}),
            "       the cat .\n"
            "  die  ███ ░░░ ░░░\n"
            "Katze  ·   ▒▒▒ ▓▓▓\n" +
                std::string(kLegend));
}

TEST(AttentionMap, AnEmptySourceHasNoColumns) {
  const std::string text = draw_attention_map(Tensor::zeros({2, 0}), {"a", "b"}, {});
  EXPECT_NE(text.find("a\nb\n"), std::string::npos) << text;
}

TEST(AttentionMap, WideCharactersKeepTheColumnsStraight) {
  // The five words, with the weights of softmax(Q K^T / sqrt(2)) in their first row.
  const Tokens words = {"猫", "在", "桌子", "上", "睡觉"};
  const Tensor first =
      Tensor::from({1, 5}, {4.2024e-08f, 2.9245e-06f, 2.0352e-04f, 1.4163e-02f, 9.8563e-01f});
  EXPECT_EQ(draw_attention_map(first, {"猫"}, words),
            "    猫   在   桌子 上   睡觉\n"
            "猫  ·    ·    ·    ·    ████\n" +
                std::string(kLegend));
}

TEST(AttentionMap, LongLabelsBecomeAStaircase) {
  const Tensor weights = Tensor::from({1, 3}, {0.125, 0.25, 0.625});
  EXPECT_EQ(draw_attention_map(weights, {"weil"}, {"because", "nevertheless", "x"}),
            "      because\n"
            "      │  nevertheless\n"
            "      │  │  x\n"
            "weil  ░░ ▒▒ ▓▓\n" +
                std::string(kLegend));
}

TEST(AttentionMap, FourteenLongTokensFitInto80Columns) {
  const Tokens target = numbered("Zielwort-", 14);
  const Tokens source = numbered("source-word-", 14);
  const std::string text = draw_attention_map(Tensor::zeros({14, 14}), target, source);
  EXPECT_LE(widest_line(text), 80);
  for (const std::string& token : source) EXPECT_NE(text.find(token + "\n"), std::string::npos) << token;
  for (const std::string& token : target) EXPECT_NE(text.find(token + "  ·"), std::string::npos) << token;
  EXPECT_EQ(text.find("clipped"), std::string::npos);
}

TEST(AttentionMap, WhatDoesNotFitIsClippedWithANote) {
  AttentionMapStyle style;
  style.width = 40;
  style.height = 5;
  const std::string text =
      draw_attention_map(Tensor::zeros({7, 50}), numbered("t", 7), numbered("s", 50), style);
  const auto legend = text.find(kLegend);
  ASSERT_NE(legend, std::string::npos);
  EXPECT_LE(widest_line(text.substr(0, legend)), 40);
  EXPECT_NE(text.find("t4  ·"), std::string::npos);
  EXPECT_EQ(text.find("t5"), std::string::npos);
  EXPECT_EQ(text.substr(text.find("(clipped")),
            "(clipped: the first 18 of 50 columns, the first 5 of 7 rows)\n");
}

TEST(AttentionMap, TokensCannotSteerTheTerminal) {
  const std::string text = draw_attention_map(Tensor::zeros({1, 1}), {"\x1b[2J"}, {"a\nb"});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST(AttentionMap, ShowsWhatIsNoWeight) {
  const Tensor weights = Tensor::from({1, 3}, {NAN, -1, 2});
  EXPECT_NE(draw_attention_map(weights, {"x"}, {"a", "b", "c"}).find("x  ?  ·  ██\n"), std::string::npos);
}

TEST(AttentionMap, ColorsGoFromBlackToWhiteAndNoFurther) {
  const AttentionMapStyle style = {.color = true};
  const std::string text = draw_attention_map(Tensor::from({1, 2}, {0, 1}), {"x"}, {"a", "b"}, style);
  EXPECT_NE(text.find("x  \x1b[48;5;232m  \x1b[0m \x1b[48;5;255m  \x1b[0m\n"), std::string::npos) << text;
  EXPECT_EQ(draw_attention_map(Tensor::from({1, 2}, {-1, 2}), {"x"}, {"a", "b"}, style), text);
}

TEST(AttentionMap, LabelsMustMatchTheMatrix) {
  EXPECT_THROW(draw_attention_map(Tensor::zeros({3, 3}), {"a", "b"}, {"c", "d", "e"}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
