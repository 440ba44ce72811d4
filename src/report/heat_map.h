// A matrix as a heat map: one color for positive values, another for negative ones, the paler the nearer to 0.
#pragma once

#include <string>

#include "core/tensor.h"
#include "report/svg.h"

namespace plainformer {

struct HeatMap {
  ChartPoint top_left;
  ChartPoint cell;                             // the size of one
  int positive_color = 0, negative_color = 1;  // 0 to kPictureInk
};

// Ten steps of color, for values of -1 to 1.    values [rows, columns]
std::string draw_heat_map(const HeatMap& map, const Tensor& values);

// The colors from -1 to 1 as a bar with its numbers below. Its size is that of its cells: 21 beside each other.
std::string draw_heat_scale(const HeatMap& map);

}  // namespace plainformer
