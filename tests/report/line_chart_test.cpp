#include "report/line_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plainformer {
namespace {

using Strings = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The contents of the <text> elements of an axis: those anchored as its tick labels are.
Strings tick_labels(const std::string& svg, const std::string& anchor) {
  Strings labels;
  const std::string mark = "text-anchor=\"" + anchor + "\">";
  for (auto at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) {
    const auto begin = at + mark.size();
    labels.push_back(svg.substr(begin, svg.find('<', begin) - begin));
  }
  return labels;
}

// Is each element closed, in order? Enough of XML for what we write: no comments, no ">" in attributes.
bool is_well_formed(const std::string& svg) {
  Strings open;
  for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::string tag = svg.substr(at + 1, svg.find('>', at) - at - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    if (tag.back() == '/') continue;
    if (tag[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

// 500 x 300 pixels: the plot spans x 72 .. 472 and y 72 .. 244.
LineChart small_chart(std::vector<ChartSeries> series) {
  LineChart chart;
  chart.title = "Loss";
  chart.x_label = "step";
  chart.y_label = "nats";
  chart.width = 500;
  chart.height = 300;
  chart.series = std::move(series);
  return chart;
}

TEST(LineChart, PutsPointsWhereTheAxesSay) {
  const std::string svg = to_svg(small_chart({{"loss", {{0, 4}, {50, 2}, {100, 0}}, false}}));
  EXPECT_TRUE(contains(svg, "class=\"line s0\" d=\"M72.0 72.0 L272.0 158.0 L472.0 244.0 \"")) << svg;
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(LineChart, TicksAreRoundAndEncloseTheData) {
  const std::string svg = to_svg(small_chart({{"loss", {{3, 0.013}, {97, 0.084}}, false}}));
  EXPECT_EQ(tick_labels(svg, "end"), (Strings{"0", "0.02", "0.04", "0.06", "0.08", "0.1"}));
  EXPECT_EQ(tick_labels(svg, "middle"), (Strings{"0", "20", "40", "60", "80", "100", "step"}));
}

TEST(LineChart, TicksOfNegativeAndTinyAndLargeData) {
  EXPECT_EQ(tick_labels(to_svg(small_chart({{"a", {{0, -3}, {1, 5}}, false}})), "end"),
            (Strings{"-4", "-2", "0", "2", "4", "6"}));
  EXPECT_EQ(tick_labels(to_svg(small_chart({{"a", {{0, 1e-5}, {1, 3e-5}}, false}})), "end"),
            (Strings{"1e-05", "1.5e-05", "2e-05", "2.5e-05", "3e-05"}));
  EXPECT_EQ(tick_labels(to_svg(small_chart({{"a", {{0, 7}, {1, 7}}, false}})), "end"),
            (Strings{"2", "4", "6", "8", "10", "12"}));  // a constant
}

TEST(LineChart, ASecondAxisHasItsOwnScale) {
  LineChart chart = small_chart({{"loss", {{0, 0}, {1, 4}}, false}, {"BLEU", {{0, 0}, {1, 40}}, true}});
  chart.second_y_label = "BLEU";
  const std::string svg = to_svg(chart);
  // Both lines rise from corner to corner; the plot ends at 428 to leave room for the labels at its right.
  EXPECT_TRUE(contains(svg, "class=\"line s0\" d=\"M72.0 244.0 L428.0 72.0 \""));
  EXPECT_TRUE(contains(svg, "class=\"line s1\" stroke-dasharray=\"7 3\" d=\"M72.0 244.0 L428.0 72.0 \""));
  const Strings labels = tick_labels(svg, "start");
  EXPECT_EQ(labels, (Strings{"0", "10", "20", "30", "40", "loss", "BLEU (right)"}));
}

TEST(LineChart, WhatIsNotFiniteInterruptsTheLine) {
  const std::string svg =
      to_svg(small_chart({{"loss", {{0, 4}, {25, 3}, {50, NAN}, {75, 1}, {100, 0}}, false}}));
  EXPECT_TRUE(contains(svg, "d=\"M72.0 72.0 L172.0 115.0 M372.0 201.0 L472.0 244.0 \"")) << svg;
  EXPECT_FALSE(contains(svg, "nan"));
}

TEST(LineChart, APointWithoutNeighborsIsARing) {
  const std::string svg = to_svg(small_chart({{"a", {{0, 0}, {10, 4}}, false}, {"best", {{5, 2}}, false}}));
  EXPECT_TRUE(contains(svg, "<circle class=\"line s1\" cx=\"272.0\" cy=\"158.0\" r=\"3\"/>")) << svg;
}

TEST(LineChart, ExtremeDataStaysWithinTheDocument) {
  for (const std::vector<ChartPoint>& points :
       std::vector<std::vector<ChartPoint>>{{{0, -9e299}, {1, 9e299}},
                                            {{0, 5e-324}, {1, 0}},
                                            {{0, 1e15}, {1, 1e15 + 0.125}},
                                            {{0, -1.7e308}, {1, 1.7e308}}}) {
    const std::string svg = to_svg(small_chart({{"a", points, false}}));
    EXPECT_LT(svg.size(), 10000u);
    EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf")) << svg;
  }
}

TEST(LineChart, NoTwoTicksReadTheSame) {
  for (double high : {1e15 + 0.125, 1e15 + 1e7, 2e15}) {
    Strings labels = tick_labels(to_svg(small_chart({{"a", {{0, 1e15}, {1, high}}, false}})), "end");
    EXPECT_GE(labels.size(), 3u);
    EXPECT_EQ(std::adjacent_find(labels.begin(), labels.end()), labels.end()) << labels.front();
  }
}

TEST(LineChart, WithoutDataTheAxesAreEmpty) {
  for (const std::vector<ChartPoint>& points : {std::vector<ChartPoint>{}, {{NAN, 1}, {2, INFINITY}}}) {
    const std::string svg = to_svg(small_chart({{"loss", points, false}}));
    EXPECT_EQ(tick_labels(svg, "end").back(), "1");
    EXPECT_TRUE(is_well_formed(svg));
  }
}

TEST(LineChart, EscapesWhatPeopleWrite) {
  LineChart chart = small_chart({{"a < b & c", {{0, 1}}, false}});
  chart.title = "</title><script>alert(1)</script> \x01\xff 猫";
  const std::string svg = to_svg(chart);
  EXPECT_FALSE(contains(svg, "<script"));
  EXPECT_TRUE(contains(svg, "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; \uFFFD\uFFFD 猫"));
  EXPECT_TRUE(contains(svg, ">a &lt; b &amp; c<"));
  EXPECT_TRUE(is_well_formed(svg));
}

TEST(LineChart, StandsAloneAndKnowsBothThemes) {
  const std::string svg = to_svg(small_chart({{"loss", {{0, 1}}, false}}));
  EXPECT_TRUE(contains(svg, "prefers-color-scheme:dark"));
  for (const char* outside : {"href", "url(", "@import", "<script", "<image"})
    EXPECT_FALSE(contains(svg, outside));
}

TEST(LineChart, RefusesMoreThanFourSeriesAndTinySizes) {
  EXPECT_THROW(to_svg(small_chart(std::vector<ChartSeries>(5))), std::logic_error);
  LineChart chart = small_chart({});
  chart.height = 10;
  EXPECT_THROW(to_svg(chart), std::logic_error);
}

}  // namespace
}  // namespace plainformer
