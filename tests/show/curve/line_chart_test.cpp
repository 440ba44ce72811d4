#include "show/curve/line_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/number_text.h"
#include "report/terminal.h"
#include "show/curve/well_formed.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

bool chart_contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::ptrdiff_t count(const std::string& text, char letter) {
  return std::count(text.begin(), text.end(), letter);
}

// The contents of the <text> elements with this anchor, in order.
Strings texts(const std::string& svg, const std::string& anchor) {
  Strings found;
  const std::string mark = "text-anchor=\"" + anchor + "\">";
  for (auto at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) {
    const auto begin = at + mark.size();
    found.push_back(svg.substr(begin, svg.find('<', begin) - begin));
  }
  return found;
}

// The commands of each path of these classes, in order.
Strings paths(const std::string& svg, const std::string& classes) {
  Strings found;
  const std::string mark = "<path class=\"" + classes + "\" d=\"";
  for (auto at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) {
    const auto begin = at + mark.size();
    found.push_back(svg.substr(begin, svg.find('"', begin) - begin));
  }
  return found;
}

// 500 pixels wide: a plot spans x 64 .. 476; of one panel, y 72 .. 244.
LineChart small_chart(std::vector<ChartSeries> series) {
  return {.title = "Training",
          .description = "It falls.",
          .x_label = "step",
          .panels = {{.heading = "Loss", .note = "lowest 0", .series = std::move(series), .height = 172}},
          .width = 500};
}

TEST(LineChart, PutsPointsWhereTheAxesSay) {
  const std::string svg = to_svg(small_chart({{{{0, 4}, {50, 2}, {100, 0}}}}));
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M64.0 72.0L270.0 158.0L476.0 244.0"}) << svg;
  EXPECT_EQ(texts(svg, "end"), (Strings{"lowest 0", "0", "1", "2", "3", "4"}));
  EXPECT_EQ(texts(svg, "middle"), (Strings{"0", "20", "40", "60", "80", "100", "step"}));
  EXPECT_EQ(texts(svg, "start"), (Strings{"Training", "Loss"}));
  EXPECT_TRUE(chart_contains(svg, "<title>Training</title>\n<desc>It falls.</desc>\n"));
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(LineChart, TheXAxisGoesFrom0ToTheLastPoint) {
  const std::string svg = to_svg(small_chart({{{{15, 0}, {97, 4}}}}));
  EXPECT_EQ(texts(svg, "middle"), (Strings{"0", "20", "40", "60", "80", "step"}));
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M127.7 244.0L476.0 72.0"});
}

TEST(LineChart, PanelsShareTheXAxisAndHaveTheirOwnY) {
  LineChart chart = small_chart({{{{0, 4}, {50, 0}}}});
  chart.panels.push_back({.heading = "BLEU", .series = {{{{50, 10}, {100, 40}}, 1}}, .height = 100});
  const std::string svg = to_svg(chart);
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M64.0 72.0L270.0 244.0"});
  EXPECT_EQ(paths(svg, "line thin c1"), Strings{"M270.0 388.0L476.0 288.0"});  // 10 + 34 below the first
  EXPECT_EQ(texts(svg, "middle"), (Strings{"0", "20", "40", "60", "80", "100", "step"}));
  EXPECT_TRUE(chart_contains(svg, "viewBox=\"0 0 500 432\""));
}

TEST(LineChart, OnALogarithmicAxisEqualFactorsAreEqualDistances) {
  LineChart chart = small_chart({{{{0, 100}, {50, 10}, {75, 0}, {100, 1}}}});
  chart.panels[0].logarithmic = true;
  // 4 % of the range are left above and below; a value without a logarithm interrupts the line.
  EXPECT_EQ(paths(to_svg(chart), "line thin c0"), Strings{"M64.0 78.4L270.0 158.0"});
  EXPECT_EQ(texts(to_svg(chart), "end"), (Strings{"lowest 0", "1", "2", "5", "10", "20", "50", "100"}));
}

TEST(LineChart, WhatIsNotFiniteInterruptsTheLine) {
  const std::string svg = to_svg(small_chart({{{{0, 4}, {25, 3}, {50, NAN}, {75, 1}, {100, 0}}}}));
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M64.0 72.0L167.0 115.0M373.0 201.0L476.0 244.0"});
  EXPECT_FALSE(chart_contains(svg, "nan"));
}

TEST(LineChart, AMarkedLineHasAsManyMarksAsThereIsRoomFor) {
  std::vector<ChartPoint> few, many;
  for (int i = 0; i < 1000; ++i) (i < 5 ? few : many).push_back({double(i), double(i)});
  const std::string svg = to_svg(small_chart({{few, 0, ChartLine::kMarked}, {many, 1, ChartLine::kMarked}}));
  EXPECT_EQ(count(paths(svg, "mark c0").at(0), 'M'), 5);
  EXPECT_EQ(count(paths(svg, "mark c1").at(0), 'M'), 45);  // 412 pixels, at least 9 apart
  EXPECT_EQ(count(paths(svg, "line marked c1").at(0), 'L'), 994);
}

TEST(LineChart, ALegendTakesTheRowsThatItNeeds) {
  LineChart chart = small_chart({{{{0, 4}, {100, 0}}}});
  chart.legend = {{"training", 0, ChartLine::kThin}, {"validation", 1, ChartLine::kMarked}};
  const std::string svg = to_svg(chart);
  EXPECT_EQ(texts(svg, "start"), (Strings{"Training", "training", "validation", "Loss"}));
  EXPECT_EQ(paths(svg, "line thin c0"), (Strings{"M64.0 52.0h26", "M64.0 92.0L476.0 264.0"}));
  EXPECT_EQ(paths(svg, "line marked c1"), (Strings{"M174.8 52.0h26"}));
  EXPECT_TRUE(chart_contains(paths(svg, "mark c1").at(0), "M187.8 52.0m"));

  chart.legend.push_back({std::string(50, 'x'), 2, ChartLine::kThin});
  EXPECT_EQ(paths(to_svg(chart), "line thin c2"), Strings{"M64.0 72.0h26"});
  EXPECT_EQ(paths(to_svg(chart), "line thin c0").at(1), "M64.0 112.0L476.0 284.0");

  chart.legend = {{std::string(200, 'x'), 0, ChartLine::kThin}};
  EXPECT_EQ(display_width(texts(to_svg(chart), "start").at(1)), 57)
      << "57 columns of 6.6 are all that there is room for";
}

TEST(LineChart, ExtremeDataStaysWithinTheDocument) {
  for (const std::vector<ChartPoint>& points :
       std::vector<std::vector<ChartPoint>>{{{0, -9e299}, {1, 9e299}},
                                            {{0, 5e-324}, {1, 0}},
                                            {{0, 1e15}, {1, 1e15 + 0.125}},
                                            {{-9e299, 1e-249}, {9e299, 9e249}},
                                            {{0, -1.7e308}, {1, 1.7e308}}}) {
    for (const bool logarithmic : {false, true}) {
      LineChart chart = small_chart({{points}});
      chart.panels[0].logarithmic = logarithmic;
      const std::string svg = to_svg(chart);
      EXPECT_LT(svg.size(), 10000u);
      EXPECT_FALSE(chart_contains(svg, "nan") || chart_contains(svg, "inf")) << svg;
    }
  }
}

TEST(LineChart, WithoutDataTheAxesAreEmpty) {
  for (const std::vector<ChartPoint>& points : {std::vector<ChartPoint>{}, {{NAN, 1}, {2, INFINITY}}}) {
    const std::string svg = to_svg(small_chart({{points}}));
    EXPECT_EQ(texts(svg, "end").back(), "1");
    EXPECT_TRUE(is_well_formed(svg));
  }
}

TEST(LineChart, EscapesWhatPeopleWrite) {
  LineChart chart = small_chart({{{{0, 1}}}});
  chart.title = chart.description = chart.x_label = chart.panels[0].heading = chart.panels[0].note =
      "</title><script>alert(1)</script>";
  chart.legend = {{chart.title, 0, ChartLine::kThin}};
  const std::string svg = to_svg(chart);
  EXPECT_FALSE(chart_contains(svg, "<script"));
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(LineChart, RefusesUnknownColorsTinySizesAndNoPanel) {
  EXPECT_THROW(to_svg(small_chart({{{}, kPictureInk + 1}})), std::logic_error);
  EXPECT_THROW(to_svg(small_chart({{{}, -1}})), std::logic_error);
  LineChart chart = small_chart({});
  chart.panels[0].height = 10;
  EXPECT_THROW(to_svg(chart), std::logic_error);
  chart.panels.clear();
  EXPECT_THROW(to_svg(chart), std::logic_error);
}

// ---- the axis

Strings labels(const ChartAxis& axis) {
  Strings labels;
  for (const double tick : axis.ticks) labels.push_back(general_text(tick, 10));
  return labels;
}

TEST(ChartAxis, TicksAreRound) {
  const struct {
    ChartAxis axis;
    Strings labels;
  } cases[] = {
      {linear_axis(0.013, 0.084, 4), {"0", "0.02", "0.04", "0.06", "0.08", "0.1"}},
      {linear_axis(-3, 5, 4), {"-4", "-2", "0", "2", "4", "6"}},
      {linear_axis(1e-5, 3e-5, 4), {"1e-05", "1.5e-05", "2e-05", "2.5e-05", "3e-05"}},
      {linear_axis(7, 7, 4), {"2", "4", "6", "8", "10", "12"}},
      {linear_axis(0, 0, 4), {"-1", "-0.5", "0", "0.5", "1"}},
      {linear_axis(INFINITY, -INFINITY, 5), {"0", "0.2", "0.4", "0.6", "0.8", "1"}},
      {linear_axis(NAN, NAN, 5), {"0", "0.2", "0.4", "0.6", "0.8", "1"}},
      {cut_at(97, linear_axis(0, 97, 5)), {"0", "20", "40", "60", "80"}},
      {logarithmic_axis(INFINITY, -INFINITY, 5), {"0", "0.2", "0.4", "0.6", "0.8", "1"}},
      {logarithmic_axis(1.9, 9.6, 6), {"2", "3", "4", "5", "6", "7", "8", "9", "10"}},
      {logarithmic_axis(0.08, 6, 6), {"0.1", "0.2", "0.5", "1", "2", "5"}},
      {logarithmic_axis(2.01, 2.11, 5), {"2.02", "2.04", "2.06", "2.08", "2.1"}},
      {logarithmic_axis(1e-12, 100, 6), {"1e-12", "1e-10", "1e-08", "1e-06", "0.0001", "0.01", "1", "100"}},
  };
  for (const auto& each : cases) EXPECT_EQ(labels(each.axis), each.labels);
  EXPECT_LT(logarithmic_axis(1e-200, 1e200, 6).ticks.size(), 20u);
  for (const double high : {1e15 + 0.125, 1e15 + 1e7, 2e15}) {
    const Strings ticks = labels(linear_axis(1e15, high, 4));
    EXPECT_GE(ticks.size(), 3u);
    EXPECT_EQ(std::adjacent_find(ticks.begin(), ticks.end()), ticks.end()) << ticks.front();
  }
}

TEST(ChartAxis, SharesOfIt) {
  EXPECT_EQ(linear_axis(0.013, 0.084, 4).share(0.05), 0.5);
  EXPECT_EQ(cut_at(97, linear_axis(0, 97, 5)).share(97), 1);
  EXPECT_NEAR(logarithmic_axis(7, 7, 4).share(7), 0.5, 1e-12);
  const ChartAxis axis = logarithmic_axis(1, 100, 5);
  EXPECT_NEAR(axis.share(100) - axis.share(10), axis.share(10) - axis.share(1), 1e-12);
  EXPECT_GT(axis.share(1), 0);
  EXPECT_LT(axis.share(100), 1);
}

// ---- the frame

using Names = std::set<std::string>;

const PictureFrame kFrame = {.title = "a < b", .description = "It grows.", .width = 320, .height = 99.6};

Names all_matches(const std::string& text, const std::string& pattern) {
  Names found;
  for (const Match& match : Pattern(pattern).all_in(text)) found.insert(match.groups[1]);
  return found;
}

TEST(Picture, HasATitleADescriptionAndItsContentInABackground) {
  const std::string svg = framed(kFrame, "<g></g>\n");
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(svg.find("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 100\" width=\"320\" "
                     "height=\"100\" role=\"img\">\n<title>a &lt; b</title>\n<desc>It grows.</desc>\n"),
            0u)
      << svg;
  const std::string end =
      "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
      "<text class=\"ink title\" x=\"16.0\" y=\"28.0\" text-anchor=\"start\">a &lt; b</text>\n"
      "<g></g>\n</svg>\n";
  EXPECT_EQ(svg.substr(svg.size() - end.size()), end);
}

// Each color that the light theme names has its counterpart in the dark one.
TEST(Picture, TheDarkThemeChangesEveryColor) {
  const std::string svg = framed(kFrame, "");
  const auto dark = svg.find("@media (prefers-color-scheme:dark)"), rest = svg.find("\n}\n", dark);
  ASSERT_NE(rest, std::string::npos);
  const std::string colored = "\\.(\\w+)\\{[a-z]+:#";
  const Names of_light = all_matches(svg.substr(0, dark), colored);
  EXPECT_EQ(of_light, all_matches(svg.substr(dark, rest - dark), colored));
  EXPECT_EQ(of_light.count("c0") + of_light.count("c6") + of_light.count("paper"), 3u);
  EXPECT_EQ(svg.find("#", rest), std::string::npos) << "a color outside the themes";
}

TEST(Picture, FetchesNothing) {
  const std::string svg = framed(kFrame, "");
  for (const char* word : {"url(", "href", "@import", "<script", "src="})
    EXPECT_EQ(svg.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace plainformer
