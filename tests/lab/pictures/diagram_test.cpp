// Boxes and arrows.
#include "lab/pictures/diagram.h"

#include <gtest/gtest.h>

namespace plainformer {
namespace {

const DiagramBox kBox = {
    .top_left = {10, 20}, .size = {100, 40}, .name = "w_q", .shape = "[d_model]", .color = 3};

TEST(Diagram, ABoxHasItsTextInTheMiddle) {
  EXPECT_EQ(draw_box(kBox),
            "<rect class=\"box c3\" x=\"10.0\" y=\"20.0\" width=\"100.0\" height=\"40.0\"/>\n"
            "<text class=\"ink code name\" x=\"60.0\" y=\"37.0\" text-anchor=\"middle\">w_q</text>\n"
            "<text class=\"soft code\" x=\"60.0\" y=\"51.0\" text-anchor=\"middle\">[d_model]</text>\n");
}

TEST(Diagram, EmptyTextTakesNoLine) {
  DiagramBox box = kBox;
  box.shape = "";
  EXPECT_EQ(draw_box_text(box),
            "<text class=\"ink code name\" x=\"60.0\" y=\"44.0\" text-anchor=\"middle\">w_q</text>\n");
  box.remark = "a < b";
  EXPECT_EQ(draw_box_text(box),
            "<text class=\"ink code name\" x=\"60.0\" y=\"37.0\" text-anchor=\"middle\">w_q</text>\n"
            "<text class=\"soft small\" x=\"60.0\" y=\"51.0\" text-anchor=\"middle\">a &lt; b</text>\n");
}

TEST(Diagram, TheSidesOfABoxAreWhereArrowsEnd) {
  EXPECT_EQ(kBox.top().x, 60);
  EXPECT_EQ(kBox.top().y, 20);
  EXPECT_EQ(kBox.bottom().y, 60);
  EXPECT_EQ(kBox.left().x, 10);
  EXPECT_EQ(kBox.right().x, 110);
  EXPECT_EQ(kBox.right().y, 40);
}

TEST(Diagram, AnArrowEndsInAHead) {
  EXPECT_EQ(draw_arrow({{0, 0}, {0, 20}, {30, 20}}),
            "<path class=\"arrow c6\" d=\"M0.0 0.0L0.0 20.0L23.0 20.0\"/>\n"
            "<path class=\"fill c6\" d=\"M30.0 20.0L23.0 23.5L23.0 16.5z\"/>\n");
  EXPECT_THROW(draw_arrow({{0, 0}}), std::logic_error);
}

}  // namespace
}  // namespace plainformer
