// A matrix as a heat map.
#include "lab/pictures/heat_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/pictures/picture.h"
#include "lab/pictures/well_formed.h"

namespace plainformer {
namespace {

const HeatMap kMap = {.top_left = {10, 20}, .cell = {4, 6}};

// Cells of one step below each other are one stroke, in the middle of their column.
TEST(HeatMap, DrawsTheCellsOfEachStepAsStrokes) {
  const Tensor values = Tensor::from({3, 2}, {1, -0.52f, 0.96f, 0.04f, 0, -0.47f});
  EXPECT_EQ(
      draw_heat_map(kMap, values),
      "<g opacity=\"0.5\" stroke-width=\"4\"><path class=\"cells c1\" d=\"M16.0 20.0v6M16.0 32.0v6\"/>\n"
      "</g>\n"
      "<g opacity=\"1.0\" stroke-width=\"4\"><path class=\"cells c0\" d=\"M12.0 20.0v12\"/>\n"
      "</g>\n");
}

TEST(HeatMap, TakesItsColorsFromTheCaller) {
  HeatMap map = kMap;
  map.positive_color = 3;
  map.negative_color = kPictureInk;
  const std::string svg = draw_heat_map(map, Tensor::from({1, 2}, {1, -1}));
  EXPECT_NE(svg.find("cells c3"), std::string::npos);
  EXPECT_NE(svg.find("cells c6"), std::string::npos);
  EXPECT_TRUE(is_well_formed(framed({.title = "a", .description = "b", .width = 9, .height = 9}, svg)));
}

TEST(HeatMap, RefusesValuesBeyond1) {
  EXPECT_THROW(draw_heat_map(kMap, Tensor::from({1, 1}, {1.5f})), std::logic_error);
  EXPECT_THROW(draw_heat_map(kMap, Tensor::from({1, 1}, {NAN})), std::logic_error);
}

TEST(HeatMap, TheScaleGoesFromMinus1To1) {
  const std::string svg = draw_heat_scale(kMap);
  EXPECT_NE(svg.find("<g opacity=\"1.0\" stroke-width=\"4\"><path class=\"cells c1\" d=\"M12.0 20.0v6\"/>"),
            std::string::npos)
      << svg;
  EXPECT_NE(svg.find("<path class=\"cells c0\" d=\"M92.0 20.0v6\"/>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("x=\"52.0\" y=\"40.0\" text-anchor=\"middle\">0</text>"), std::string::npos) << svg;
}

}  // namespace
}  // namespace plainformer
