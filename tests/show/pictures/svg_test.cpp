#include "show/pictures/svg.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

TEST(Svg, ElementsHaveTheirPlacesToATenthOfAPixel) {
  EXPECT_EQ(svg::line("grid", {1, 2.25}, {3.04, 4}),
            "<line class=\"grid\" x1=\"1.0\" y1=\"2.2\" x2=\"3.0\" y2=\"4.0\"/>\n");
  EXPECT_EQ(svg::path("line", svg::command('M', {1, 2}) + svg::command('L', {-3, 0.06})),
            "<path class=\"line\" d=\"M1.0 2.0L-3.0 0.1\"/>\n");
  EXPECT_EQ(svg::text("ink", {1, 2}, "end", "0.5"),
            "<text class=\"ink\" x=\"1.0\" y=\"2.0\" text-anchor=\"end\">0.5</text>\n");
  EXPECT_EQ(svg::rectangle("box", {1, 2.25}, {3, 4.04}),
            "<rect class=\"box\" x=\"1.0\" y=\"2.2\" width=\"3.0\" height=\"4.0\"/>\n");
}

TEST(Svg, TextIsEscaped) {
  EXPECT_EQ(svg::text("ink", {0, 0}, "start", "a < b"),
            "<text class=\"ink\" x=\"0.0\" y=\"0.0\" text-anchor=\"start\">a &lt; b</text>\n");
}

}  // namespace
}  // namespace plainformer
