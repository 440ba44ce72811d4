// A matrix as a heat map: one color for positive values, another for negative ones, paler near 0.
#pragma once

#include <string>

#include "core/tensor.h"
#include "lab/pictures/svg.h"

namespace plainformer {

struct HeatMap {
  ChartPoint top_left;
  ChartPoint cell;                             // the size of a cell
  int positive_color = 0, negative_color = 1;  // 0 to kPictureInk
};

// Ten steps of color, for values of -1 to 1.    values [rows, columns]
std::string draw_heat_map(const HeatMap& map, const Tensor& values);

// The colors from -1 to 1 as a bar of 21 cells side by side, with the numbers below.
std::string draw_heat_scale(const HeatMap& map);

}  // namespace plainformer
