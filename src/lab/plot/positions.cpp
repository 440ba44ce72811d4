// Section 3.5: the table of sines and cosines, and the dot products of its rows.
#include "core/writable_tensor.h"
#include "lab/pictures/heat_map.h"
#include "lab/pictures/line_chart.h"
#include "lab/pictures/picture.h"
#include "lab/plot/plots.h"
#include "report/number_format.h"
#include "transformer/positional_encoding.h"

namespace plainformer {

namespace positions_picture {

constexpr double kLeft = 56, kTop = 60, kCell = 3, kRow = 4;
constexpr Index kPositions = 64, kWidth = 128;

std::string draw_axes() {
  const double bottom = kTop + kPositions * kRow, right = kLeft + kWidth * kCell;
  std::string svg = svg::text("ink", {kLeft, kTop - 10}, "start", "position, downward");
  for (Index position = 0; position < kPositions; position += 10) {
    const double y = kTop + (static_cast<double>(position) + 0.5) * kRow;
    svg += svg::line("axis", {kLeft - 4, y}, {kLeft, y});
    svg += svg::text("ink", {kLeft - 8, y + 4}, "end", std::to_string(position));
  }
  for (Index column = 0; column < kWidth; column += 20) {
    const double x = kLeft + (static_cast<double>(column) + 0.5) * kCell;
    svg += svg::line("axis", {x, bottom}, {x, bottom + 4});
    svg += svg::text("ink", {x, bottom + 18}, "middle", std::to_string(column));
  }
  return svg + svg::text("ink", {(kLeft + right) / 2, bottom + 37}, "middle",
                         "dimension: sines at even, cosines at odd numbers");
}

// The dot products of PE(p) and PE(q) for p = 0 .. 2 q.
std::vector<ChartPoint> products(const Tensor& table, Index q) {
  std::vector<ChartPoint> points;
  for (Index p = 0; p <= 2 * q; ++p) {
    double product = 0;
    for (Index i = 0; i < table.dim(1); ++i) product += double{table(p, i)} * double{table(q, i)};
    points.push_back({static_cast<double>(p - q), product});
  }
  return points;
}

}  // namespace positions_picture

std::string draw_positional_encoding() {
  using namespace positions_picture;
  const PositionalEncoding encoding(kPositions, kWidth);
  const double bottom = kTop + kPositions * kRow;
  const HeatMap map = {.top_left = {kLeft, kTop}, .cell = {kCell, kRow}};
  const HeatMap scale = {.top_left = {kLeft + (kWidth * kCell - 21 * 12) / 2, bottom + 56}, .cell = {12, 12}};
  return framed(
      {.title = "The positional encoding",
       .description = "Each row is the vector of a position. On the left the sines and cosines "
                      "change from one position to the next; toward the right they change ever more "
                      "slowly, and in the right half hardly at all.",
       .width = 480,
       .height = bottom + 96},
      draw_axes() + draw_heat_map(map, encoding.table()) + draw_heat_scale(scale));
}

std::string draw_positional_similarity() {
  using namespace positions_picture;
  constexpr Index kQueries[] = {25, 50, 100};
  const PositionalEncoding encoding(2 * kQueries[2] + 1, 512);
  LineChart chart = {.title = "PE(p) · PE(q) against p - q",
                     .description =
                         "The dot products of the encodings of two positions, for three positions "
                         "q. All lie on one curve, which is highest for p = q and symmetric.",
                     .x_label = "p - q",
                     .panels = {{.heading = "Dot product, d_model 512", .encloses = {0}, .height = 240}},
                     .width = 480,
                     .mark_distance = 20};
  for (int i = 2; i >= 0; --i) {
    chart.legend.push_back({"q = " + std::to_string(kQueries[i]), i, ChartLine::kMarked});
    chart.panels[0].series.push_back({products(encoding.table(), kQueries[i]), i, ChartLine::kMarked});
  }
  return to_svg(chart);
}

}  // namespace plainformer
