#include "lab/pictures/dot_plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "well_formed.h"

namespace plainformer {
namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

constexpr const char* kOneDot = "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z";

TEST(DotPlot, HasADotForEachValueAndAStrokeForEachMean) {
  const std::string svg = to_svg({.title = "Heads & widths",
                                  .description = "d",
                                  .panels = {{"BLEU"}, {"perplexity", 5.5}},
                                  .rows = {{"base", {{30, 32}, {5, 6}}}, {"h <1>", {{28}, {NAN, 7}}}}});
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, kOneDot), 7) << "one is in the legend";
  EXPECT_EQ(count(svg, "v14"), 5) << "one is in the legend";
  EXPECT_EQ(count(svg, "frame c1\""), 1) << "the value to compare with";
  EXPECT_NE(svg.find("h &lt;1&gt;"), std::string::npos);
}

// 10 and 30 lie at the ends of the axis, their mean in its middle.
TEST(DotPlot, PlacesTheMeanBetweenItsValues) {
  const std::string svg = to_svg({.panels = {{"x"}}, .rows = {{"ab", {{10, 30}}}}});
  const double left = 16 + 7 * 2 + 12;
  const auto at = [&](double x) { return "M" + std::to_string(static_cast<int>(left + x)) + ".0"; };
  EXPECT_NE(svg.find(at(0)), std::string::npos);
  EXPECT_NE(svg.find(at(130)), std::string::npos);
  EXPECT_NE(svg.find(at(260)), std::string::npos);
}

// The reference is at the left end, because the values are at the right.
TEST(DotPlot, TheAxisHoldsTheReference) {
  const std::string svg = to_svg({.panels = {{"x", 0}}, .rows = {{"ab", {{10, 20}}}}});
  EXPECT_NE(svg.find("frame c1\" d=\"M42.0"), std::string::npos) << svg;
}

TEST(DotPlot, SaysWhatDotsAndStrokesAre) {
  const std::string svg = to_svg({.dot = "one seed", .panels = {{"x"}}, .rows = {{"ab", {{10, 20}}}}});
  EXPECT_EQ(count(svg, ">one seed</text>"), 1);
  EXPECT_EQ(count(svg, ">their mean</text>"), 1);
}

TEST(DotPlot, ARowWithoutValuesKeepsItsName) {
  const std::string svg = to_svg({.panels = {{"x"}}, .rows = {{"base", {{1, 2}}}, {"not yet", {{}}}}});
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_NE(svg.find("not yet"), std::string::npos);
  EXPECT_EQ(count(svg, kOneDot), 3) << "one is in the legend";
}

TEST(DotPlot, RefusesRowsThatLackAPanel) {
  EXPECT_THROW(to_svg({.panels = {{"x"}, {"y"}}, .rows = {{"base", {{1}}}}}), std::logic_error);
  EXPECT_THROW(to_svg(DotPlot{}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
