// Horizontal bars.
#include "lab/pictures/bar_chart.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

constexpr BarPlace kPlace = {.left = 10, .top = 100, .axis = 60, .longest_end = 260, .right = 300};

TEST(BarChart, ABarIsAsLongAsItsShareOfTheLongest) {
  const BarChart chart = {
      .heading = "Parts", .note = "of 8", .bars = {{"a", 4, "four", 1}, {"b", 1, "one", 2}}, .longest = 4};
  EXPECT_EQ(draw_bars(chart, kPlace),
            "<text class=\"ink heading\" x=\"10.0\" y=\"113.0\" text-anchor=\"start\">Parts</text>\n"
            "<text class=\"soft\" x=\"300.0\" y=\"113.0\" text-anchor=\"end\">of 8</text>\n"
            "<text class=\"ink\" x=\"52.0\" y=\"136.0\" text-anchor=\"end\">a</text>\n"
            "<rect class=\"fill c1\" x=\"60.0\" y=\"124.0\" width=\"200.0\" height=\"14.0\"/>\n"
            "<text class=\"ink\" x=\"266.0\" y=\"136.0\" text-anchor=\"start\">four</text>\n"
            "<text class=\"ink\" x=\"52.0\" y=\"158.0\" text-anchor=\"end\">b</text>\n"
            "<rect class=\"fill c2\" x=\"60.0\" y=\"146.0\" width=\"50.0\" height=\"14.0\"/>\n"
            "<text class=\"ink\" x=\"116.0\" y=\"158.0\" text-anchor=\"start\">one</text>\n"
            "<line class=\"axis\" x1=\"60.0\" y1=\"120.0\" x2=\"60.0\" y2=\"164.0\"/>\n");
  EXPECT_EQ(height_of(chart), 68);
}

TEST(BarChart, RefusesALengthBeyondTheLongest) {
  EXPECT_THROW(draw_bars({.bars = {{"a", 2, "", 0}}, .longest = 1}, kPlace), std::logic_error);
  EXPECT_THROW(draw_bars({.bars = {{"a", -1, "", 0}}, .longest = 1}, kPlace), std::logic_error);
  EXPECT_THROW(draw_bars({.bars = {}, .longest = 0}, kPlace), std::logic_error);
}

}  // namespace
}  // namespace plainformer
