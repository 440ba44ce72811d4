#include "show/pictures/line_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/terminal.h"
#include "show/pictures/well_formed.h"

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

// Each plot begins 78 pixels below the one above, and has its own x axis.
TEST(LineChart, ChartsStandOneBelowTheOther) {
  const LineChart first = small_chart({{{{0, 4}, {100, 0}}}}), second = small_chart({{{{0, 4}, {10, 0}}}});
  const std::string svg = to_svg(std::vector{first, second});
  EXPECT_EQ(paths(svg, "line thin c0"), (Strings{"M64.0 72.0L476.0 244.0", "M64.0 322.0L476.0 494.0"}))
      << svg;
  EXPECT_EQ(to_svg(std::vector{first}), to_svg(first));
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_THROW(to_svg(std::vector<LineChart>{}), std::logic_error);
}

TEST(LineChart, TheXAxisGoesFrom0ToTheLastPoint) {
  const std::string svg = to_svg(small_chart({{{{15, 0}, {97, 4}}}}));
  EXPECT_EQ(texts(svg, "middle"), (Strings{"0", "20", "40", "60", "80", "step"}));
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M127.7 244.0L476.0 72.0"});
}

// Nobody wants a third of the chart empty.
TEST(LineChart, TheXAxisBeginsLaterIfMoreThanAFifthWouldBeEmpty) {
  const std::string svg = to_svg(small_chart({{{{100, 0}, {300, 4}}}}));
  EXPECT_EQ(texts(svg, "middle"), (Strings{"100", "150", "200", "250", "300", "step"}));
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M64.0 244.0L476.0 72.0"});
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

TEST(LineChart, TheXAxisMayBeLogarithmic) {
  LineChart chart = small_chart({{{{1, 0}, {10, 2}, {100, 4}}}});
  chart.logarithmic_x = true;
  // 4 % of the range are left on both sides: 412 / 1.08 pixels for two decades.
  EXPECT_EQ(paths(to_svg(chart), "line thin c0"), Strings{"M79.3 244.0L270.0 158.0L460.7 72.0"});
  EXPECT_EQ(texts(to_svg(chart), "middle"), (Strings{"1", "2", "5", "10", "20", "50", "100", "step"}));
  chart.panels[0].series[0].points[0].x = 0;
  EXPECT_THROW(to_svg(chart), std::logic_error);
}

TEST(LineChart, WhatIsNotFiniteInterruptsTheLine) {
  const std::string svg = to_svg(small_chart({{{{0, 4}, {25, 3}, {50, NAN}, {75, 1}, {100, 0}}}}));
  EXPECT_EQ(paths(svg, "line thin c0"), Strings{"M64.0 72.0L167.0 115.0M373.0 201.0L476.0 244.0"});
  EXPECT_FALSE(chart_contains(svg, "nan"));
}

TEST(LineChart, APointWithoutNeighborsIsAMark) {
  const std::string svg = to_svg(small_chart({{{{0, 0}, {10, 4}}}, {{{5, 2}}, 2}}));
  EXPECT_EQ(paths(svg, "mark c2"), Strings{"M270.0 158.0m0-4l4 4l-4 4l-4-4z"});
  EXPECT_EQ(paths(svg, "line thin c2"), Strings{});
}

TEST(LineChart, AMarkedLineHasAsManyMarksAsThereIsRoomFor) {
  std::vector<ChartPoint> few, many;
  for (int i = 0; i < 1000; ++i) (i < 5 ? few : many).push_back({double(i), double(i)});
  const std::string svg = to_svg(small_chart({{few, 0, ChartLine::kMarked}, {many, 1, ChartLine::kMarked}}));
  EXPECT_EQ(count(paths(svg, "mark c0").at(0), 'M'), 5);
  EXPECT_EQ(count(paths(svg, "mark c1").at(0), 'M'), 45);  // 412 pixels, at least 9 apart
  EXPECT_EQ(count(paths(svg, "line marked c1").at(0), 'L'), 994);
}

TEST(LineChart, MarksMayBeFartherApart) {
  LineChart chart = small_chart({{{}, 0, ChartLine::kMarked}});
  for (int i = 0; i <= 100; ++i) chart.panels[0].series[0].points.push_back({double(i), double(i)});
  chart.mark_distance = 40;
  EXPECT_EQ(count(paths(to_svg(chart), "mark c0").at(0), 'M'), 10);  // 101 points, one mark for each 10
}

TEST(LineChart, ALabelStandsAtTheRightOfItsPoint) {
  LineChart chart = small_chart({{{{0, 4}, {50, 2}, {100, 0}}}});
  chart.panels[0].labels = {{{50, 2}, "half < way", 10}};
  EXPECT_TRUE(
      chart_contains(to_svg(chart), "x=\"278.0\" y=\"152.0\" text-anchor=\"start\">half &lt; way</text>"));
}

TEST(LineChart, ALabelMayHaveTheColorOfItsLine) {
  LineChart chart = small_chart({{{{0, 4}, {50, 2}, {100, 0}}}});
  chart.panels[0].labels = {{.at = {50, 2}, .text = "loss", .color = 3}};
  EXPECT_TRUE(chart_contains(to_svg(chart), "<text class=\"fill c3\" x=\"278.0\" y=\"162.0\""));
  chart.panels[0].labels[0].color = kPictureInk + 1;
  EXPECT_THROW(to_svg(chart), std::logic_error);
}

TEST(LineChart, ADashedLineShowsTheOneBelow) {
  LineChart chart = small_chart({{{{0, 4}, {100, 0}}}, {{{0, 4}, {100, 0}}, 1}});
  chart.panels[0].series[1].dashed = true;
  chart.legend = {{"above", 1, ChartLine::kThin, /*dashed=*/true}};
  const std::string svg = to_svg(chart);
  EXPECT_EQ(paths(svg, "line thin c0").size(), 1u);
  EXPECT_EQ(paths(svg, "line thin dashed c1").size(), 2u) << "in the legend and in the plot";
  EXPECT_TRUE(chart_contains(svg, ".dashed{stroke-dasharray:"));
}

TEST(LineChart, TheXAxisMayShowTheValuesOfThePoints) {
  LineChart chart = small_chart({{{{4, 0}, {16, 2}, {64, 4}}}});
  chart.logarithmic_x = true;
  chart.x_ticks = {4, 16, 64};
  EXPECT_EQ(texts(to_svg(chart), "middle"), (Strings{"4", "16", "64", "step"}));
}

TEST(LineChart, TheYAxisHoldsTheValuesThatItMustEnclose) {
  LineChart chart = small_chart({{{{0, 110}, {100, 256}}}});
  EXPECT_EQ(texts(to_svg(chart), "end").at(1), "100");
  chart.panels[0].encloses = {0};
  EXPECT_EQ(texts(to_svg(chart), "end"), (Strings{"lowest 0", "0", "50", "100", "150", "200", "250", "300"}));
}

TEST(LineChart, CanBePartOfAPicture) {
  LineChart chart = small_chart({{{{0, 4}, {100, 0}}}});
  const DrawnChart drawn = draw(chart, 152);  // to_svg begins at 52
  EXPECT_EQ(paths(drawn.svg, "line thin c0"), Strings{"M64.0 172.0L476.0 344.0"});
  EXPECT_EQ(drawn.bottom, 388);
  EXPECT_TRUE(chart_contains(to_svg(chart), "viewBox=\"0 0 500 288\""));
  EXPECT_FALSE(chart_contains(drawn.svg, "<svg"));
}

TEST(LineChart, NoTwoColorsHaveTheSameMark) {
  std::vector<ChartSeries> series;
  for (int color = 0; color < kPictureColors; ++color) series.push_back({{{1, 1}}, color});
  const std::string svg = to_svg(small_chart(series));
  Strings marks;
  for (int color = 0; color < kPictureColors; ++color)
    marks.push_back(paths(svg, "mark c" + std::to_string(color)).at(0));
  std::sort(marks.begin(), marks.end());
  EXPECT_EQ(std::unique(marks.begin(), marks.end()), marks.end());
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

TEST(LineChart, StandsAloneAndKnowsBothThemes) {
  const std::string svg = to_svg(small_chart({{{{0, 1}}}}));
  EXPECT_TRUE(chart_contains(svg, "prefers-color-scheme:dark"));
  for (const char* outside : {"href", "url(", "@import", "<script", "<image"})
    EXPECT_FALSE(chart_contains(svg, outside));
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

}  // namespace
}  // namespace plainformer
