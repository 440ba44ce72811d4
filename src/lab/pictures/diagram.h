// Boxes and arrows.
#pragma once

#include <string>
#include <vector>

#include "lab/pictures/svg.h"

namespace plainformer {

// A box with up to three lines of text in its middle. Names and shapes are those of the code.
struct DiagramBox {
  ChartPoint top_left, size;
  std::string name, shape = {}, remark = {};  // empty ones take no line
  int color = 0;                              // 0 to kPictureInk

  ChartPoint top() const { return {top_left.x + size.x / 2, top_left.y}; }
  ChartPoint bottom() const { return {top_left.x + size.x / 2, top_left.y + size.y}; }
  ChartPoint left() const { return {top_left.x, top_left.y + size.y / 2}; }
  ChartPoint right() const { return {top_left.x + size.x, top_left.y + size.y / 2}; }
};

std::string draw_box(const DiagramBox& box);

// The text of a box, without the box.
std::string draw_box_text(const DiagramBox& box);

// A line with corners, and a head at its last point.
std::string draw_arrow(const std::vector<ChartPoint>& corners);

// A dashed frame around boxes.
std::string draw_frame(ChartPoint top_left, ChartPoint size);

}  // namespace plainformer
