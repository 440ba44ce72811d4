#include "show/curve/svg.h"

#include <gtest/gtest.h>

#include <set>

#include "show/curve/well_formed.h"
#include "support/pattern.h"

namespace plainformer {
namespace {

TEST(Svg, ElementsHaveTheirPlacesToATenthOfAPixel) {
  EXPECT_EQ(svg::line("grid", {1, 2.25}, {3.04, 4}),
            "<line class=\"grid\" x1=\"1.0\" y1=\"2.2\" x2=\"3.0\" y2=\"4.0\"/>\n");
  EXPECT_EQ(svg::path("line", svg::command('M', {1, 2}) + svg::command('L', {-3, 0.06})),
            "<path class=\"line\" d=\"M1.0 2.0L-3.0 0.1\"/>\n");
  EXPECT_EQ(svg::text("ink", {1, 2}, "end", "0.5"),
            "<text class=\"ink\" x=\"1.0\" y=\"2.0\" text-anchor=\"end\">0.5</text>\n");
}

TEST(Svg, TextIsEscaped) {
  EXPECT_EQ(svg::text("ink", {0, 0}, "start", "a < b"),
            "<text class=\"ink\" x=\"0.0\" y=\"0.0\" text-anchor=\"start\">a &lt; b</text>\n");
}

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
